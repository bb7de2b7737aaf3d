/** The command line's content flags as input. */
import { UNRESOLVED_KINDS } from "../document/types.js";
import type { RawInput } from "./input.js";

type Flags = Readonly<Record<string, unknown>>;

const SCALARS = ["intent", "goal", "summary", "state", "impact"] as const;
const LISTS = ["next", "pointer", "done", "unresolved"] as const;

/** True when the command line says anything of the content, or where to take it from. */
export function hasContent(args: Flags): boolean {
  return args.edit === true || ["from", ...SCALARS, ...LISTS].some((name) => args[name] !== undefined);
}

/** Flags win over what `--from` brought; lists are added to it. Nothing is checked yet. */
export function mergeFlags(raw: RawInput, args: Flags): RawInput {
  const merged: RawInput = { ...raw };
  for (const name of SCALARS) if (typeof args[name] === "string") merged[name] = args[name];
  if (typeof args.breaking === "boolean") merged.breaking = args.breaking;
  add(merged, "next", listOf(args.next));
  add(merged, "pointers", listOf(args.pointer));
  add(merged, "artifacts", listOf(args.done).map(parseDone));
  add(merged, "unresolved", listOf(args.unresolved).map(parseUnresolved));
  return merged;
}

function listOf(value: unknown): string[] {
  return value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String);
}

/** What is no list there stays as it is, so that the check tells it. */
function add(raw: RawInput, key: string, values: readonly unknown[]): void {
  const before = raw[key] ?? [];
  if (values.length === 0) return;
  if (Array.isArray(before)) raw[key] = [...before, ...values];
  else if (typeof before === "string") raw[key] = [before, ...values];
}

/** `<evidence>=<claim>`, split at the first `=`; without one it is a claim that names no evidence. */
export function parseDone(text: string): { evidence: string; claim: string } {
  const at = text.indexOf("=");
  if (at < 0) return { evidence: "", claim: text.trim() };
  return { evidence: text.slice(0, at).trim(), claim: text.slice(at + 1).trim() };
}

/** `[<kind>:]<text>`; a finding where no kind is named. */
export function parseUnresolved(text: string): { kind: string; text: string } {
  const match = /^([a-z]+):\s*([\s\S]*)$/.exec(text);
  const kind = UNRESOLVED_KINDS.find((name) => name === match?.[1]);
  return kind && match?.[2] !== undefined ? { kind, text: match[2] } : { kind: "finding", text };
}
