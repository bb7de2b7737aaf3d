/** Programs that keep a repository's hooks: how to tell them, and the lines that make one of them run ours. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readIfThere } from "./files.js";
import { HOOK, KEPT, parseHookFile } from "./hook-file.js";

export interface Manager {
  name: string;
  /** True: what lies in its hooks folder is its own output; a file put there would be lost. */
  owns: boolean;
  /** The file to add lines to, and the lines. */
  remedy: { file: string; lines: string[] };
  /** What happens to our file when the manager is installed again; null: it is kept and run. */
  warning: string | null;
}

/** Runs our hook where it is installed and nothing where it is not, so that it can be shared with a team. */
export const HOOK_LINE = `h="$(git rev-parse --git-common-dir)/handoff/${HOOK}"; [ ! -f "$h" ] || sh "$h" "$@"`;

/** For hooks folders that no known manager keeps. */
export function plainRemedy(folder: string): { file: string; lines: string[] } {
  return { file: join(folder, HOOK), lines: [HOOK_LINE] };
}

/** Which manager keeps this hooks folder, told by the files it leaves; null: none that is known. */
export function hookManager(folder: string, workTree: string | null): Manager | null {
  if (existsSync(join(folder, "husky.sh")) || (existsSync(join(folder, "h")) && basename(folder) === "_")) {
    return {
      name: "husky",
      owns: true,
      remedy: { file: join(dirname(folder), HOOK), lines: [HOOK_LINE] },
      warning: null,
    };
  }
  // Ours names managers too; what it keeps is what tells.
  const names = [HOOK, KEPT].map((name) => readIfThere(join(folder, name)) ?? "");
  const hook = names.find((text) => parseHookFile(text) === null) ?? "";
  const config = workTree === null ? null : lefthookConfig(workTree);
  if (config !== null || /call_lefthook|LEFTHOOK/.test(hook)) {
    return {
      name: "lefthook",
      owns: false,
      remedy: {
        file: config ?? "lefthook.yml",
        lines: [
          `${HOOK}:`,
          "  commands:",
          "    handoff:",
          `      run: sh -c '${HOOK_LINE.replace(" || sh", " || exec sh")}' handoff {1} {2} {3}`,
        ],
      },
      warning: "lefthook moves the hook aside when it is installed with a post-checkout of its own",
    };
  }
  if (workTree !== null && simpleGitHooks(workTree)) {
    return {
      name: "simple-git-hooks",
      owns: false,
      remedy: {
        file: join(workTree, "package.json"),
        lines: [`"simple-git-hooks": { ${JSON.stringify(HOOK)}: ${JSON.stringify(HOOK_LINE)} }`],
      },
      warning: "simple-git-hooks removes the hook when it is run again",
    };
  }
  return null;
}

function lefthookConfig(workTree: string): string | null {
  for (const name of [
    "lefthook.yml",
    ".lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yaml",
    ".config/lefthook.yml",
  ]) {
    if (existsSync(join(workTree, name))) return join(workTree, name);
  }
  return null;
}

function simpleGitHooks(workTree: string): boolean {
  const names = ["", ".cjs", ".js", ".mjs", ".json"].flatMap((end) => [
    `.simple-git-hooks${end}`,
    `simple-git-hooks${end}`,
  ]);
  if (names.slice(2).some((name) => existsSync(join(workTree, name)))) return true;
  try {
    const text = readFileSync(join(workTree, "package.json"), "utf8");
    return /"simple-git-hooks"\s*:\s*\{/.test(text);
  } catch {
    return false;
  }
}
