/** What this package brings to be installed: its hook and its skill. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FatalError } from "../errors.js";
import { shellQuote } from "./shell.js";

/** The folder of this package, found from the running file upwards (bundled or not). */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "hooks", "post-checkout"))) {
    const up = dirname(folder);
    if (up === folder)
      throw new FatalError("hooks/post-checkout of git-handoff is missing: install it again");
    folder = up;
  }
  return folder;
}

/** Printed by the hook when asked whether git reaches it. */
export const PROBE_ANSWER = "git handoff: the hook is reached";
/** Set: the hook answers with PROBE_ANSWER and does nothing else. */
export const PROBE_VARIABLE = "GIT_HANDOFF_PROBE";

const PROBE_LINE = `[ -z "\${${PROBE_VARIABLE}-}" ] || { echo '${PROBE_ANSWER}'; exit 0; }`;

/**
 * The hook as it is installed: where Node and this package are is written into it, because a client with a
 * window starts git with a bare PATH.
 */
export function hookText(root: string, node: string): string {
  const template = readFileSync(join(root, "hooks", "post-checkout"), "utf8");
  const [shebang, ...rest] = template.split("\n");
  return [
    shebang,
    PROBE_LINE,
    ...rest.map((line) => {
      if (line.startsWith("HANDOFF_NODE=")) return `HANDOFF_NODE=${shellQuote(node)}`;
      if (line.startsWith("HANDOFF_HOME=")) return `HANDOFF_HOME=${shellQuote(root)}`;
      return line;
    }),
  ].join("\n");
}

/** The skill, as agents read it. */
export function skillText(root: string): string {
  return readFileSync(join(root, "skills", "handoff", "SKILL.md"), "utf8");
}

/** The extension for pi. */
export function piExtensionText(root: string): string {
  return readFileSync(join(root, "hooks", "pi.ts"), "utf8");
}
