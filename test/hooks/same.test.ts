import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentText } from "../support/documents.js";
import { installHook } from "../support/hook.js";
import { type LogEntry, writeLog } from "../support/logs.js";
import { commit, git, handoff, makeRepo } from "../support/repo.js";

/** Documents of every sort that a log may hold, for a repository with these commits. */
function documents(here: string, gone: string): string[] {
  const rejection = {
    kind: "structural" as const,
    claim: "Parser stays final",
    anchor: "src/parser.ts",
    predicate: "grep -q 'final class' src/parser.ts",
    fallback: "drop and surface to user",
  };
  const pushed = { delivery: "pushed" as const, breaking: false };
  const impact = "## Impact here\n\nThe field is called name now.\n";
  return [
    documentText({ git: `main @ ${here}`, rejections: [rejection] }, "## State\n\nHalf done.\n"),
    documentText({
      intent: "Another: one # with signs",
      git: `main @ ${gone} (dirty)`,
      rejections: [
        { ...rejection, predicate: "grep -q absent src/parser.ts" },
        { ...rejection, predicate: "rm -rf /" },
      ],
      artifacts: [{ claim: "parser", evidence: "src/parser.ts" }],
    }),
    documentText({ intent: "Unread", ...pushed, git: `main @ ${here}` }, impact),
    documentText({ intent: "Breaks", ...pushed, breaking: true, author: "Bob <bob@example.com>" }, impact),
    documentText({ intent: "Moved here", task_key: "elsewhere" }),
    // Not in our own form, so that the YAML library has to read it.
    "---\nhandoff: 1\nintent: &x 'by hand'\ngoal: *x\nrejections: [{kind: structural, claim: c, predicate: 'test -e src'}]\n---\n\n## Next steps\n\n- go on\n",
    "---\nintent: [unclosed\n---\n",
    "no frontmatter at all\n",
    "---\r\nhandoff: 1\r\nintent: with carriage returns\r\n---\r\n",
  ];
}

const folder = fc.constantFrom<LogEntry["folder"]>(
  "open",
  "open",
  "inbox",
  "inbox",
  "closed",
  "acked",
  "moved",
  "gone",
);
const log = fc.record({
  ref: fc.constantFrom(
    "refs/handoff/main/ada-3f9a2c",
    "refs/handoff/HEAD/ada-3f9a2c",
    "refs/handoff/elsewhere/ada-3f9a2c",
    "refs/handoff/main/bob-111111",
    "refs/handoff-remotes/main/eve-222222/origin",
    "refs/handoff-remotes/HEAD/eve-222222/team%2Fx",
  ),
  entries: fc.array(fc.record({ folder, document: fc.nat(8) }), { maxLength: 4 }),
  format: fc.constantFrom("1\n", "1\n", "1\n", "2\n"),
});

/** Every path below a folder with its content, mode and times. */
function snapshot(top: string): string {
  const hash = createHash("sha256");
  for (const name of (readdirSync(top, { recursive: true }) as string[]).sort()) {
    const stat = lstatSync(join(top, name));
    hash.update(`${name} ${stat.mode} ${stat.mtimeMs} ${stat.ino}\n`);
    if (stat.isFile()) hash.update(readFileSync(join(top, name)));
  }
  return hash.digest("hex");
}

describe("the hook", () => {
  it("shows what `git handoff read` shows, and neither changes a byte", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 4 }), (logs) => {
        const dir = makeRepo("same");
        const here = git(dir, "rev-parse", "HEAD");
        commit(dir, { "more.txt": "more\n" });
        const texts = documents(here, "d".repeat(40));
        for (const { ref, entries, format } of logs) {
          // The hook asks about both joins at once and so takes one blob in both for one document: a document for
          // the repository is never one for a branch, byte for byte.
          const own = ref.includes("/HEAD/") ? "\nFor the repository.\n" : "";
          const kept = entries.map(({ folder, document }) => ({
            folder,
            text: `${texts[document] ?? ""}${own}`,
          }));
          writeLog(dir, ref, kept, format);
        }
        const path = installHook(dir);
        const before = snapshot(join(dir, ".git"));
        const hook = spawnSync("sh", [path, "a", "b", "1"], { cwd: dir, encoding: "utf8" });
        const read = handoff(dir, ["read"]);
        expect(hook.status).toBe(0);
        expect(read.code).toBe(0);
        const journal = read.stdout.replace(
          /(?:^|\n)No open handoff for main\.\n(?:Open on other branches: .*\n)?$/,
          "",
        );
        expect(hook.stdout).toBe(journal);
        expect(snapshot(join(dir, ".git"))).toBe(before);
      }),
      { numRuns: 15 },
    );
  });
});
