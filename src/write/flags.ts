/** The command line's content flags as input. */
import { UNRESOLVED_KINDS } from "../document/types.js";
import { UsageError } from "../errors.js";
import type { HandoffInput } from "./input.js";

type Flags = Readonly<Record<string, unknown>>;

const SCALARS = ["intent", "goal", "summary", "state", "impact"] as const;

/** True when the command line says anything of the content. */
export function hasContent(args: Flags): boolean {
  return (
    args.from !== undefined ||
    args.edit === true ||
    [...SCALARS, "next", "pointer", "done", "unresolved"].some((name) => args[name] !== undefined)
  );
}

/** Flags win over what `--from` brought; lists are added to it. */
export function mergeFlags(input: HandoffInput, args: Flags): HandoffInput {
  const merged: HandoffInput = { ...input };
  for (const name of SCALARS) {
    const value = args[name];
    if (typeof value === "string") merged[name] = value;
  }
  if (typeof args.breaking === "boolean") merged.breaking = args.breaking;
  add(merged, "next", list(args.next));
  add(merged, "pointers", list(args.pointer));
  add(merged, "artifacts", list(args.done).map(parseDone));
  add(merged, "unresolved", list(args.unresolved).map(parseUnresolved));
  return merged;
}

function list(value: unknown): string[] {
  return value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String);
}

function add<K extends "next" | "pointers" | "artifacts" | "unresolved">(
  input: HandoffInput,
  key: K,
  values: NonNullable<HandoffInput[K]>,
): void {
  if (values.length > 0) input[key] = [...(input[key] ?? []), ...values] as NonNullable<HandoffInput[K]>;
}

/** `<evidence>=<claim>`, split at the first `=`. */
export function parseDone(text: string): { evidence: string; claim: string } {
  const at = text.indexOf("=");
  if (at < 0) throw new UsageError(`--done '${text}': expected <evidence>=<claim>`);
  return { evidence: text.slice(0, at).trim(), claim: text.slice(at + 1).trim() };
}

/** `[<kind>:]<text>`; a finding where no kind is named. */
export function parseUnresolved(text: string): { kind: string; text: string } {
  const match = /^([a-z]+):\s*([\s\S]*)$/.exec(text);
  const kind = UNRESOLVED_KINDS.find((name) => name === match?.[1]);
  return kind && match?.[2] !== undefined ? { kind, text: match[2] } : { kind: "finding", text };
}
