/** A repository whose configuration, attributes and hooks would run a program at every opportunity. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commit, git, put, tempDir } from "../../support/repo.js";
import { tableRepo } from "./table.js";

export interface Hostile {
  dir: string;
  /** What was run so far: one file per program. */
  ran(): string[];
}

/** Every hook git knows of, among them those a read could trigger. */
const HOOKS =
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist post-index-change".split(
    " ",
  );

/** The table's repository, turned against its reader. `fsmonitor`: a hook's path, or git's own daemon. */
export function hostileRepo(fsmonitor: "hook" | "daemon"): Hostile {
  const dir = tableRepo();
  const marks = tempDir("marks");
  const scripts = tempDir("scripts");
  const program = (name: string): string => {
    const file = join(scripts, name);
    writeFileSync(file, `#!/bin/sh\necho run >>'${join(marks, name)}'\ncat\n`);
    chmodSync(file, 0o755);
    return file;
  };
  put(dir, "attacked.txt", "needle\n");
  commit(
    dir,
    {
      ".gitattributes":
        "* diff=evil\nattacked.txt filter=evil\nprocessed.txt filter=process\n*.md text eol=crlf\n",
      "processed.txt": "needle\n",
    },
    "attributes",
  );
  const hooks = join(dir, ".git/hooks");
  mkdirSync(hooks, { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\necho run >>'${join(marks, `hook-${hook}`)}'\n`);
    chmodSync(join(hooks, hook), 0o755);
  }
  const config: [string, string][] = [
    ["core.fsmonitor", fsmonitor === "daemon" ? "true" : program("fsmonitor")],
    ["core.hooksPath", hooks],
    ["diff.external", program("diff-external")],
    ["diff.evil.textconv", program("textconv")],
    ["diff.evil.command", program("diff-command")],
    ["filter.evil.clean", program("clean")],
    ["filter.evil.smudge", program("smudge")],
    ["filter.evil.required", "true"],
    ["filter.process.process", program("process")],
    ["filter.process.required", "true"],
    ["core.pager", program("pager")],
    ["pager.grep", program("pager-grep")],
    ["pager.ls-files", "true"],
    ["core.editor", program("editor")],
    ["core.askPass", program("askpass")],
    ["core.sshCommand", program("ssh")],
    ["core.gitProxy", program("proxy")],
    ["core.alternateRefsCommand", program("alternate-refs")],
    ["credential.helper", program("credential")],
    ["gpg.program", program("gpg")],
    ["uploadpack.packObjectsHook", program("pack-objects")],
    ["protocol.ext.allow", "always"],
    ["remote.origin.url", `ext::${program("ext")}`],
    ["remote.origin.promisor", "true"],
    ["alias.my-alias", `!${program("alias")}`],
    ["color.ui", "always"],
    ["color.grep", "always"],
    ["grep.patternType", "fixed"],
    ["grep.fallbackToNoIndex", "true"],
    ["core.splitIndex", "true"],
    ["core.untrackedCache", "true"],
    ["feature.manyFiles", "true"],
    ["diff.autoRefreshIndex", "true"],
    ["submodule.recurse", "true"],
    ["core.quotePath", "true"],
    ["status.submoduleSummary", "true"],
    ["hook.evil.command", program("config-hook")],
    ["hook.evil.event", "post-index-change"],
  ];
  for (const [key, value] of config) git(dir, "config", key, value);
  // Touched, so that git would like to refresh its index.
  for (const file of ["src/parser.ts", "words.txt", "attacked.txt", "processed.txt", "docs/api.md"]) {
    utimesSync(join(dir, file), new Date(), new Date(Date.now() + 5_000));
  }
  const before = readdirSync(marks);
  for (const file of before) writeFileSync(join(marks, file), "");
  return {
    dir,
    ran: () => readdirSync(marks).filter((file) => readFileSync(join(marks, file), "utf8") !== ""),
  };
}
