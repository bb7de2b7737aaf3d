/** The message of a log's commit: a plain subject and trailers, so that `git log` is the audit trail. */
import { oneLine } from "../document/strip.js";
import { EVENTS, type EventName } from "./types.js";

/** Characters of a subject's text, and of a reason. */
const MAX_SUBJECT = 100;
const MAX_REASON = 1000;

export interface EventMessage {
  event: EventName;
  /** What stands after `<event>: `. */
  about: string;
  ids: readonly string[];
  supersedes?: readonly string[];
  reason?: string | null | undefined;
}

function bounded(text: string, limit: number): string {
  const characters = [...oneLine(text)];
  return characters.length <= limit ? characters.join("") : `${characters.slice(0, limit - 1).join("")}…`;
}

/** `1 handoff`, `3 handoffs`: what a commit of several documents is about. */
export function countHandoffs(count: number): string {
  return `${count} handoff${count === 1 ? "" : "s"}`;
}

export function formatMessage(message: EventMessage): string {
  const lines = [
    `${message.event}: ${bounded(message.about, MAX_SUBJECT) || "(no intent)"}`,
    "",
    `Handoff-Event: ${message.event}`,
    ...message.ids.map((id) => `Handoff-Id: ${oneLine(id)}`),
    ...(message.supersedes ?? []).map((id) => `Handoff-Supersedes: ${oneLine(id)}`),
  ];
  const reason = bounded(message.reason ?? "", MAX_REASON);
  if (reason !== "") lines.push(`Handoff-Reason: ${reason}`);
  return `${lines.join("\n")}\n`;
}

export interface ParsedMessage {
  event: EventName | "unknown";
  subject: string;
  ids: string[];
  supersedes: string[];
  reason: string | null;
}

/** What a commit's message says; tolerant of anything, stripped of what drives a terminal. */
export function parseMessage(message: string): ParsedMessage {
  const paragraphs = message.trimEnd().split(/\n{2,}/);
  const parsed: ParsedMessage = {
    event: "unknown",
    subject: bounded(paragraphs[0] ?? "", MAX_SUBJECT + 20),
    ids: [],
    supersedes: [],
    reason: null,
  };
  // Trailers are the last paragraph, never the subject's own.
  const trailers = paragraphs.length > 1 ? (paragraphs.at(-1) ?? "") : "";
  for (const line of trailers.split("\n")) {
    const match = /^Handoff-(Event|Id|Supersedes|Reason): *(.*)$/i.exec(line);
    const value = oneLine(match?.[2] ?? "");
    if (!match || value === "") continue;
    const key = match[1]?.toLowerCase();
    if (key === "id") parsed.ids.push(value);
    else if (key === "supersedes") parsed.supersedes.push(value);
    else if (key === "reason") parsed.reason = bounded(value, MAX_REASON);
    else parsed.event = (EVENTS as readonly string[]).includes(value) ? (value as EventName) : "unknown";
  }
  return parsed;
}
