import { spawnGit } from "../git/spawn.js";
import { type Style, styled } from "./style.js";
import type { Terminal } from "./terminal.js";

/**
 * Whether to colour stdout, by git's rules: `color.handoff`, else `color.ui`; by itself only on a terminal that
 * can, or when git itself pages for us. NO_COLOR is heeded beyond them.
 */
export async function wantsColor({ cwd, env, stdout }: Terminal): Promise<boolean> {
  if (env.NO_COLOR) return false;
  const answer = await spawnGit()(
    ["config", "--get-colorbool", "color.handoff", String(Boolean(stdout.isTTY))],
    {
      cwd,
      env,
    },
  );
  return answer.stdout.toString().trim() === "true";
}

export type { Style } from "./style.js";

/** Paints when asked to; what is painted must already be stripped. */
export function paint(text: string, style: Style, color: boolean): string {
  return color && text !== "" ? styled(text, style) : text;
}
