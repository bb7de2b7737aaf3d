// Files that are not what they should be: one warning each, the others come in, none is touched.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findFiles } from "../../src/formats/find-files.js";
import { type ImportPlan, planImport } from "../../src/formats/plan.js";
import { tempDir } from "../support/repo.js";
import { evidenceFile, journalFile, parkFile } from "./sources.js";

async function plan(folder: string): Promise<ImportPlan> {
  const { files } = await findFiles([folder], "/");
  return planImport(files, {
    branches: { given: null, current: "main", known: ["main"], tracked: [] },
    redact: true,
    objectFormat: "sha1",
  });
}

function textOf(plan: ImportPlan, name: string): string {
  const file = plan.files.find(({ path }) => path.endsWith(`/${name}`));
  return new TextDecoder().decode(file?.document.bytes);
}

it("says of each what is wrong and takes the others in", async () => {
  const folder = tempDir("odd");
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  put("good.md", journalFile({ focus: "Good" }));
  put("crlf.md", journalFile({ focus: "CRLF" }).replaceAll("\n", "\r\n"));
  put("bom.md", `\ufeff${journalFile({ focus: "BOM" })}`);
  put("latin.md", Buffer.from(journalFile({ focus: "Caf\xe9" }), "latin1"));
  put("utf16.md", Buffer.from(`\ufeff${journalFile({ focus: "Wide" })}`, "utf16le"));
  put("empty.md", "");
  put("blank.md", " \n\n");
  put("binary.md", Uint8Array.of(0x23, 0x20, 0, 1, 2));
  put("large.md", "x".repeat(2 ** 20 + 1));
  put("swollen.md", `---\nfocus: x\nnote: ${"y".repeat(600_000)}\n---\n`);
  put("ignored.png", "x");
  put("package.json", "{}");
  put("report.json", evidenceFile({ summary: "s", state: { git_dirty: false, git_branch: "main" } }));
  put(".acked", "good.md\n");
  symlinkSync("/etc/passwd", join(folder, "link.md"));
  symlinkSync("nowhere", join(folder, "dangling.md"));
  mkdirSync(join(folder, "folder.md"));
  execFileSync("mkfifo", [join(folder, "fifo.md")]);
  put("unreadable.md", "x");
  chmodSync(join(folder, "unreadable.md"), 0);
  const isRoot = process.getuid?.() === 0;
  const before = fingerprint(folder);

  const result = await plan(folder);

  const failed = Object.fromEntries(
    result.failed.map(({ path, reason }) => [path.slice(folder.length + 1), reason]),
  );
  expect(failed).toEqual({
    "binary.md": "binary",
    "blank.md": "empty",
    "dangling.md": "a symbolic link, which is not followed: name its target",
    "empty.md": "empty",
    "fifo.md": "not a regular file",
    "large.md": "larger than 1 MiB (1048577 bytes)",
    "link.md": "a symbolic link, which is not followed: name its target",
    "swollen.md": expect.stringMatching(/^larger than 1 MiB as a document \(\d+ bytes\)$/),
    ...(isRoot ? {} : { "unreadable.md": "permission denied" }),
  });
  const warnings = Object.fromEntries(
    result.files.map((file) => [file.path.slice(folder.length + 1), file.warnings]),
  );
  expect(warnings).toEqual({
    "bom.md": ["begins with a BOM; left out"],
    "crlf.md": ["its line ends (CR) are stored as LF"],
    "good.md": [],
    "report.json": [],
    "latin.md": ["not valid UTF-8; read as Windows-1252"],
    "utf16.md": ["UTF-16; stored as UTF-8"],
    ...(isRoot ? { "unreadable.md": ["says no branch; taken for the current one, main"] } : {}),
  });
  expect(textOf(result, "latin.md")).toContain("Café");
  expect(textOf(result, "utf16.md")).toContain("focus: Wide\n");
  expect(textOf(result, "crlf.md")).not.toContain("\r");
  expect(fingerprint(folder)).toEqual(before);
});

/** Names, contents and times of a folder's files. */
function fingerprint(folder: string): unknown[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      const content = found?.isFile() && found.mode & 0o400 ? readFileSync(join(folder, name)).length : 0;
      return [name, content, found?.mtimeMs];
    });
}

it("takes of a folder the known layouts in it, at any depth, and nothing beside them", async () => {
  const home = tempDir("layouts");
  const put = (path: string, content: string) => {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), content);
  };
  put("tasks/repo/handoff/feat-park.md", parkFile("  []\n"));
  put("tasks/repo/handoff/old.md.closed-2026", parkFile("  []\n"));
  put("tasks/repo/handoff/feat.md.tmp", "x");
  put("tasks/repo/lessons.md", "x");
  put("lb/key/handoffs/2026-05-01_1000_a.md", journalFile({}));
  put("lb/key/handoffs/inbox/2026-05-01_1000_b.md", journalFile({}));
  put("lb/key/handoffs/inbox/.acked", "");
  put("repo/.agents/ao/handoff/handoff-20260501T100000.0Z.json", "{}");
  put("repo/.agents/handoff/handoff-20260501T100000Z.json", "{}");
  put("repo/.agents/handoff/notes.json", "{}");
  put("repo/node_modules/x/handoffs/2026-05-01_1000_a.md", "x");
  put("repo/.git/handoffs/2026-05-01_1000_a.md", "x");
  put("README.md", "x");
  put("skills/handoff/SKILL.md", "x");
  const { files, problems } = await findFiles(["."], home);
  expect(problems).toEqual([]);
  expect(files.map((path) => path.slice(home.length + 1))).toEqual([
    "lb/key/handoffs/2026-05-01_1000_a.md",
    "lb/key/handoffs/inbox/2026-05-01_1000_b.md",
    "repo/.agents/ao/handoff/handoff-20260501T100000.0Z.json",
    "repo/.agents/handoff/handoff-20260501T100000Z.json",
    // Told as not valid.
    "repo/.agents/handoff/notes.json",
    "tasks/repo/handoff/feat-park.md",
    "tasks/repo/handoff/old.md.closed-2026",
  ]);
  const named = await findFiles(["README.md", "tasks/repo/lessons.md", "README.md", "nowhere.md"], home);
  expect(named.files.map((path) => path.slice(home.length + 1))).toEqual([
    "README.md",
    "tasks/repo/lessons.md",
    "nowhere.md",
  ]);
});
