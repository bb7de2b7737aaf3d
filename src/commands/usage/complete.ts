/** What a shell completes where, from spec.ts; the three scripts are drawn from this. */
import type { CommandSpec, OptionSpec } from "../spec.js";

/** A kind of word that the script knows how to list, or the words themselves; `none` for free text. */
export type Completable =
  | "file"
  | "branch"
  | "handle"
  | "branch-or-handle"
  | "remote"
  | "command"
  | "none"
  | readonly string[];

export function optionSource({ choices, complete }: OptionSpec): Completable {
  return choices ?? complete ?? "none";
}

/** All operands of a command are of one kind. */
export function operandSource({ positionals }: CommandSpec): Completable {
  const complete = positionals?.[0]?.complete;
  return complete === "shell" ? SHELLS : (complete ?? "none");
}

/** Long options in full, with their `--no-` forms where these mean something. */
export function optionWords({ options }: CommandSpec): string[] {
  return (options ?? []).flatMap(({ name, negatable }) => [
    `--${name}`,
    ...(negatable ? [`--no-${name}`] : []),
  ]);
}

export const SHELLS = ["bash", "zsh", "fish"] as const;
