// The document in the editor, as git commit opens it: template, abort, and a text that is never lost.
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { hasTerminal, KEY, Terminal } from "../support/pty.js";
import { type CliResult, git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { folder, handoffRefs, stored, writeJson } from "./store.js";

let repo: string;
let state: string;
beforeEach(() => {
  repo = makeRepo("edited");
  state = tempDir("state");
});

/** A program that is given the file's path, in a folder with a space; its command line is quoted for a shell. */
function editor(script: string): string {
  const path = join(tempDir("bin"), "my editor");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return `'${path}'`;
}

/** An editor that leaves this text. */
function leaving(text: string): string {
  const file = join(tempDir(), "text");
  writeFileSync(file, text);
  return editor(`cat '${file}' >"$1"`);
}

function edit(command: string, args: string[] = [], options: { input?: string } = {}): CliResult {
  return handoff(repo, ["write", "--edit", ...args], {
    ...options,
    env: { GIT_EDITOR: command, XDG_STATE_HOME: state },
  });
}

/** The editor's copy of what it was given. */
function shown(args: string[] = [], input?: string): string {
  const copy = join(tempDir(), "copy");
  edit(editor(`cp "$1" '${copy}'; : >"$1"`), args, input === undefined ? {} : { input });
  return readFileSync(copy, "utf8");
}

function written() {
  const ref = git(repo, "for-each-ref", "--format=%(refname)", "refs/handoff/main");
  const [name] = folder(repo, ref, "open");
  return stored(repo, { ref, path: `open/${name}` });
}

/** Where a text is kept, from what is said of it. */
function kept({ stderr }: CliResult): string {
  return /The text is kept in (\S+); to go on: /.exec(stderr)?.[1] ?? "";
}

const WHOLE = `---
intent: Finish the parser
rejections:
  - kind: structural
    claim: "a second lexer: too much"
    anchor: src/parser.ts
    predicate: grep -q 'class Parser' src/parser.ts
artifacts:
  - claim: class is there
    evidence: src/parser.ts
---

## State

Half.

## Next steps

1. On

## Pointers

- src
`;

describe("the template", () => {
  it("is commented, says what is needed, and names the branch", () => {
    const text = shown();
    expect(text).toMatch(
      /^---\n# A handoff for main\. Lines like this one are left out; an empty document aborts\.\n/,
    );
    for (const line of ["intent:", "goal:", "# rejections:", "# artifacts:", "# unresolved:", "# watches:"])
      expect(text.split("\n")).toContain(line);
    for (const heading of ["State", "Next steps", "Pointers"])
      expect(text).toContain(`\n## ${heading}\n\n<!-- handoff: `);
    expect(text).not.toContain("Impact here");
    expect(text).toContain("structural, contractual, empirical-local");
  });

  it("holds what was given", () => {
    const text = shown(
      ["--from", "-", "-m", "From a flag", "--next", "two"],
      "goal: 'a: b'\nnext: [one]\ncustom: [1]\nrejections: [{kind: untyped, claim: c}]\nsummary: |\n  two\n  lines\n",
    );
    expect(text).toContain("\nintent: From a flag\n");
    expect(text).toContain('\ngoal: "a: b"\n');
    expect(text).toContain("\nrejections:\n  - kind: untyped\n    claim: c\n");
    expect(text).toContain("\nsummary: |\n  two\n  lines\n");
    expect(text).toContain("\ncustom:\n  - 1\n");
    expect(text).toContain("\n## Next steps\n\n1. one\n2. two\n");
    expect(text.match(/^## Next steps$/gm)).toHaveLength(1);
  });

  it("asks for impact and breaking in an inbox handoff", () => {
    const text = shown(["--inbox"]);
    expect(text).toContain("# An inbox handoff for HEAD.");
    expect(text).toContain("\nbreaking:\n");
    expect(text).toContain("\n## Impact here\n");
  });
});

describe("what the editor leaves", () => {
  it("is written, through the shell's own words", () => {
    const result = edit(leaving(WHOLE));
    expect(result.stdout).toMatch(
      /^Handoff written: refs\/handoff\/main\/\S+ \w{7} \(1 rejections, intent captured\)\.\n/,
    );
    const { meta, body } = written();
    expect(meta).toMatchObject({
      intent: "Finish the parser",
      rejections: [{ claim: "a second lexer: too much", fallback: "drop and surface to user" }],
      artifacts: [{ oid: git(repo, "rev-parse", "HEAD:src/parser.ts") }],
    });
    expect(body).toBe(WHOLE.slice(WHOLE.indexOf("## State")));
    expect(readdirSync(join(state, "git-handoff"))).toEqual([]);
  });

  it("loses the template's comments and empty headings, and no others", () => {
    edit(
      editor(
        `sed -i -e 's/^intent:.*/intent: x/' -e 's/^## Pointers$/<!-- mine -->\\n\\n## Notes/' "$1"; printf '\\n# kept\\n' >>"$1"`,
      ),
    );
    expect(written().body).toBe("## Next steps\n\n<!-- mine -->\n\n## Notes\n\n# kept\n");
  });

  it("is taken from git's own choice of editor", () => {
    git(repo, "config", "core.editor", leaving(WHOLE));
    const env = { XDG_STATE_HOME: state, VISUAL: "false", EDITOR: "false" };
    expect(handoff(repo, ["write", "--edit"], { env }).code).toBe(0);
    expect(written().meta.intent).toBe("Finish the parser");
  });

  it("may be a command line with arguments", () => {
    const script = editor('[ "$1" = --wait ] && printf "intent: x\\n" >"$2"');
    expect(edit(`${script} --wait`).code).toBe(0);
    expect(written().meta.intent).toBe("x");
  });

  it("does not mix the editor's output into JSON", () => {
    const file = join(tempDir(), "text");
    writeFileSync(file, WHOLE);
    const { stdout, stderr } = edit(editor(`echo hello; cat '${file}' >"$1"`), ["--json"]);
    expect((JSON.parse(stdout) as { warnings: string[] }).warnings).toEqual([]);
    expect(stderr).toBe("hello\n");
  });

  it("that was given whole may stay as it is, as with git commit -m -e", () => {
    expect(edit("true", ["-m", "As it is"]).code).toBe(0);
    expect(written().meta.intent).toBe("As it is");
    expect(edit(":", ["-m", "Again", "--overwrite"]).code).toBe(0);
    expect(written().meta.intent).toBe("Again");
  });

  it("keeps what is not shown: a time that was given", () => {
    const input = "intent: x\nwritten: 2026-01-01T00:00:00+00:00\n";
    expect(edit("true", ["--from", "-"], { input }).code).toBe(0);
    expect(written().meta.written).toBe("2026-01-01T00:00:00+00:00");
  });

  it("as a dry run is shown only", () => {
    const { code, stdout } = edit(leaving(WHOLE), ["--dry-run"]);
    expect([code, handoffRefs(repo)]).toEqual([0, ""]);
    expect(stdout).toContain("intent: Finish the parser\n");
  });
});

describe("nothing is written", () => {
  it.each([
    ["unchanged", "true", "Aborting: the document was not edited.\n"],
    ["emptied", editor(': >"$1"'), "Aborting: the document is empty.\n"],
    [
      "left with comments alone",
      editor("printf -- '---\\n# x\\n---\\n\\n<!-- handoff: y -->\\n' >\"$1\""),
      "Aborting: the document is empty.\n",
    ],
    [
      "left with empty headings",
      editor("printf -- '---\\nintent:\\n---\\n\\n## State\\n\\n## Pointers\\n' >\"$1\""),
      "Aborting: the document is empty.\n",
    ],
  ])("when it is %s", (_, command, message) => {
    expect(edit(command)).toEqual({ code: 1, stdout: "", stderr: message });
    expect([handoffRefs(repo), readdirSync(join(state, "git-handoff"))]).toEqual(["", []]);
  });

  it("when the editor fails, in git's words", () => {
    expect(edit("false")).toEqual({
      code: 128,
      stdout: "",
      stderr: "fatal: there was a problem with the editor 'false'\n",
    });
    const typed = edit(editor('echo "intent: typed" >"$1"; exit 3'));
    expect(typed.code).toBe(128);
    expect(readFileSync(kept(typed), "utf8")).toBe("intent: typed\n");
  });

  it("when there is no editor", () => {
    const env = { GIT_EDITOR: undefined, TERM: "dumb", XDG_STATE_HOME: state };
    const { code, stderr } = handoff(repo, ["write", "--edit"], { env });
    expect([code, stderr]).toEqual([
      128,
      // Newer gits say nothing.
      expect.stringMatching(
        /^fatal: (?:Terminal is dumb, but EDITOR unset|no editor: set GIT_EDITOR, core\.editor, VISUAL or EDITOR)\n$/,
      ),
    ]);
  });
});

describe("a broken document", () => {
  it.each([
    ["YAML that cannot be read", "---\nintent: [a\n---\n", "not readable as YAML"],
    ["no intent", "---\ngoal: x\n---\n\n## State\n\nfelt good\n", "intent: expected a string, found nothing"],
    [
      "wrong types",
      "---\nintent: x\nlinks: y\nnext: 3\n---\n",
      'links: expected a list, found "y"\n  next: expected a list or a string, found 3',
    ],
    ["words alone", "just some words\n", "expected a map of keys such as intent"],
  ])("of %s is kept, and what is wrong is said", (_, text, problem) => {
    const result = edit(leaving(text));
    expect(result.code).toBe(128);
    expect(result.stderr).toMatch(/^fatal: the document cannot be used:\n {2}/);
    expect(result.stderr).toContain(problem);
    expect(readFileSync(kept(result), "utf8")).toBe(text);
    expect(handoffRefs(repo)).toBe("");
  });

  it("is kept without the template's comments, so that it can be taken up again", () => {
    const result = edit(
      editor(`sed -i -e 's/^goal:.*/goal: typed/' -e 's/^## State$/## State\\n\\nfelt good/' "$1"`),
    );
    expect(result.stderr).toContain("intent: expected a string, found nothing");
    const again = edit("true", ["--from", kept(result), "-m", "Now"]);
    expect(again.code).toBe(0);
    expect(written().meta).toMatchObject({ intent: "Now", goal: "typed" });
    expect(written().body).toBe("## State\n\nfelt good\n");
  });

  it("of an inbox handoff too: without a word on breaking", () => {
    const result = edit(leaving("---\nintent: x\n---\n\n## Impact here\n\nall\n"), ["--inbox"]);
    expect([result.code, handoffRefs(repo)]).toEqual([128, ""]);
    expect(result.stderr).toContain("say --breaking or --no-breaking");
    expect(kept(result)).not.toBe("");
  });

  it("that lost a race is kept with the way to go on", () => {
    const other = editor(
      `(cd '${repo}' && '${process.execPath}' '${join(import.meta.dirname, "../../dist/git-handoff.js")}' write -m Theirs >/dev/null 2>&1); printf 'intent: Mine\\n' >"$1"`,
    );
    const result = edit(other);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/^An open handoff exists for main: /);
    expect(readFileSync(kept(result), "utf8")).toBe("intent: Mine\n");
  });

  it.skipIf(!hasTerminal)("is opened again on a terminal, with what is wrong on top", async () => {
    const copy = join(tempDir(), "copy");
    const first = join(tempDir(), "first");
    const script = editor(
      `if [ -e '${first}' ]; then cp "$1" '${copy}'; sed -i 's/^intent:.*/intent: fine/' "$1"; else : >'${first}'; printf -- '---\\nintent: 5\\ngoal: kept\\n---\\n' >"$1"; fi`,
    );
    const t = new Terminal(repo, ["write", "--edit"], { env: { GIT_EDITOR: script, XDG_STATE_HOME: state } });
    try {
      await t.shows("intent: expected a string, found 5");
      await t.answer("Edit it again?");
      expect(await t.code()).toBe(0);
    } finally {
      t.kill();
    }
    expect(readFileSync(copy, "utf8")).toBe(
      "---\n# PROBLEM: intent: expected a string, found 5\nintent: 5\ngoal: kept\n---\n",
    );
    expect(written().meta).toMatchObject({ intent: "fine", goal: "kept" });
  });

  it.skipIf(!hasTerminal)("is kept when nobody wants to edit it again", async () => {
    const env = { GIT_EDITOR: leaving("intent: 5\n"), XDG_STATE_HOME: state };
    for (const key of ["n", KEY.interrupt]) {
      const t = new Terminal(repo, ["write", "--edit"], { env });
      await t.shows("Edit it again?");
      t.type(key);
      expect([128, 130]).toContain(await t.code());
      expect(readdirSync(join(state, "git-handoff", "edited")).length).toBeGreaterThan(0);
      t.kill();
    }
  });
});

describe("an append", () => {
  it("is shown merged, with its intent to be said anew", () => {
    put(repo, "old.ts", "x\n");
    const first = writeJson(repo, ["--from", "-"], {
      input:
        "intent: Begin\ngoal: Ship\nstate: One.\nnext: [one]\nartifacts: [{claim: done, evidence: old.ts}]\nrejections: [{kind: structural, claim: a, anchor: b, predicate: 'true'}]\n",
    });
    git(repo, "clean", "-fdq");
    const text = shown(["--append", "--state", "Two."]);
    expect(text).toContain(`# It goes on from ${first.id}.\n`);
    expect(text).toMatch(/^intent:$/m);
    expect(text).toContain("goal: Ship\n");
    expect(text).toContain("## State\n\nOne.\n\nTwo.\n");
    expect(text).not.toContain("low_info");
    const result = edit(editor(`sed -i -e 's/^intent:.*/intent: Go on/' -e 's/^goal:.*/goal:/' "$1"`), [
      "--append",
      ...["--state", "Two."],
    ]);
    expect(result.code).toBe(0);
    const { meta, body } = written();
    expect(meta).toMatchObject({ intent: "Go on", goal: null, supersedes: [first.id] });
    // Seen when it was written, and not looked at again.
    expect(meta.artifacts).toMatchObject([
      { evidence: "old.ts", oid: expect.stringMatching(/^[0-9a-f]{40}$/) },
    ]);
    expect(meta.rejections).toMatchObject([{ claim: "a", low_info: true }]);
    expect(body).toBe("## State\n\nOne.\n\nTwo.\n\n## Next steps\n\n1. one\n");
    expect(edit("true", ["--append"]).stderr).toBe("Aborting: the document was not edited.\n");
  });
});

describe("send", () => {
  it("opens the editor too, and notes lessons", () => {
    const other = makeRepo("other");
    const text =
      "---\nintent: Rename\nbreaking: true\nlessons: [look first]\n---\n\n## Impact here\n\nAll.\n";
    const env = { GIT_EDITOR: leaving(text), XDG_STATE_HOME: state };
    const { code, stdout } = handoff(repo, ["send", other, "--edit"], { env });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Handoff sent: [\s\S]*\nLesson noted in .*\.\n$/),
    ]);
    expect(existsSync(join(repo, ".git/handoff/lessons.md"))).toBe(true);
    expect(handoff(other, ["inbox"]).stdout).toContain("!! BREAKING");
  });
});
