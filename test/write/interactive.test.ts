// A person at a terminal: recorded runs that type, see prompts, edit, approve and leave.
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasTerminal, KEY, Terminal } from "../support/pty.js";
import { commit, git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { folder, handoffRefs, stored, writeJson } from "./store.js";

const META =
  "Is there a specific artifact this rejects against, or is this a meta-lesson about how to approach problems in general?";
const CLEAR =
  "Run `/clear` to start a fresh session — the handoff will surface automatically on the next session for this branch.";
const ESCAPE = "\u001b";

let repo: string;
let state: string;
let terminal: Terminal | undefined;
beforeEach(() => {
  repo = makeRepo("asked");
  state = tempDir("state");
});
afterEach(() => terminal?.kill());

function start(
  words: readonly string[] = ["write"],
  options: { columns?: number; env?: Record<string, string | undefined> } = {},
): Terminal {
  terminal = new Terminal(repo, words, { ...options, env: { XDG_STATE_HOME: state, ...options.env } });
  return terminal;
}

const drafts = () => readdirSync(join(state, "git-handoff", "drafts"));
const lessons = () => join(repo, ".git/handoff/lessons.md");

/** The one open handoff of a branch. */
function written(branch = "main") {
  const ref = git(repo, "for-each-ref", "--format=%(refname)", `refs/handoff/${branch}`);
  const [name] = folder(repo, ref, "open");
  return { ref, ...stored(repo, { ref, path: `open/${name}` }) };
}

/** Everything after the goal, in a hurry. */
async function hurry(t: Terminal, from = "Was something tried or ruled out?"): Promise<void> {
  const questions = [
    "Was something tried or ruled out?",
    "State:",
    "Next steps",
    "Pointers",
    "Is something done?",
    "Is something unresolved?",
    "Watch for something from outside",
  ];
  for (const question of questions.slice(questions.indexOf(from))) await t.answer(question);
}

describe.skipIf(!hasTerminal)("the interactive flow", () => {
  it("goes through all steps and writes what was approved", async () => {
    put(repo, "new.txt", "x");
    const t = start();
    await t.shows("A handoff for main, at main @");
    await t.shows("1 changed file not committed");
    await t.answer("Immediate next intent");
    await t.shows("Needed: please say it in one short statement.");
    t.type(`Finish the parser${KEY.enter}`);
    await t.answer("Active goal?", "Ship 2.0");

    await t.answer("Was something tried or ruled out?", "no new dependencies allowed");
    await t.answer(META);
    await t.shows("● structural");
    t.type(KEY.enter);
    await t.answer("Anchor", "src/parser.ts");
    await t.answer("Predicate", "grep -q 'class Lexer' src/parser.ts");
    await t.shows("It says: fails");
    await t.answer("Change the predicate?");
    await t.shows("Predicate");
    t.type(`\u0015grep -q 'class Parser' src/parser.ts${KEY.enter}`);
    await t.shows("It says: holds");
    await t.answer("Fallback");

    await t.answer("Something else that was ruled out?", "smaller blast radius is preferred");
    await t.answer(META);
    await t.shows("● goal-conditional");
    t.type(KEY.enter);
    await t.answer("Predicate", "user still wants improvements");
    await t.shows('it is always true, so it will be shown as "noted but not gating"');
    t.type(`n`);
    await t.answer("Fallback");
    await t.shows("Rejection 2 has a low-information predicate");

    await t.answer("Something else that was ruled out?", "read the error before guessing");
    await t.answer(META, KEY.down);
    await t.shows(".git/handoff/lessons.md when the handoff is written");
    t.type(KEY.enter);

    await t.answer("Something else that was ruled out?");
    await t.answer("State:", "Half done");
    await t.answer("Next steps", "comments");
    await t.answer("And then?", "strings");
    await t.answer("And then?");
    await t.answer("Pointers", "src/parser.ts");
    await t.answer("Another one?");
    await t.answer("Is something done?", "class is there");
    await t.answer("Which place proves it?", "gone.ts");
    await t.shows("would be recorded as an open gap");
    await t.answer("Name another place?");
    await t.shows("Which place proves it?");
    t.type(`\u0015src/parser.ts${KEY.enter}`);
    await t.answer("What else is done?");
    await t.answer("Is something unresolved?", "risk: slow");
    await t.answer("Something else unresolved?");
    await t.answer("Watch for something from outside", KEY.up);
    await t.answer("Watch what?");
    await t.shows("Until which date?");
    t.type(`\u00152030-01-01${KEY.enter}`);
    await t.answer("A note", "freeze ends");

    await t.shows("intent: Finish the parser");
    await t.shows("uncommitted changes are not part of the handoff: new.txt");
    await t.shows("Lessons for");
    await t.shows("Write it?");
    expect(handoffRefs(repo)).toBe("");
    expect(existsSync(lessons())).toBe(false);
    t.type("y");
    expect(await t.code()).toBe(0);

    const { meta, body, ref } = written();
    expect(meta).toMatchObject({
      intent: "Finish the parser",
      goal: "Ship 2.0",
      harness: "human",
      rejections: [
        {
          kind: "structural",
          claim: "no new dependencies allowed",
          anchor: "src/parser.ts",
          predicate: "grep -q 'class Parser' src/parser.ts",
          fallback: "drop and surface to user",
        },
        { kind: "goal-conditional", predicate: "user still wants improvements", low_info: true },
      ],
      artifacts: [{ claim: "class is there", evidence: "src/parser.ts" }],
      unresolved: [{ kind: "risk", text: "slow" }],
      watches: [{ until: "2030-01-01", note: "freeze ends" }],
      dirty_files: ["new.txt"],
    });
    expect(body).toBe(
      "## State\n\nHalf done\n\n## Next steps\n\n1. comments\n2. strings\n\n## Pointers\n\n- src/parser.ts\n",
    );
    expect(readFileSync(lessons(), "utf8")).toMatch(
      /^# Lessons\n\n- \d{4}-\d\d-\d\d main: read the error before guessing\n$/,
    );
    expect(t.screen).toContain(`Handoff written: ${ref} `);
    expect(t.screen).toContain("(2 rejections, intent captured).");
    expect(t.screen.trimEnd().split("\n").at(-1)).toBe(CLEAR);
    expect(drafts()).toEqual([]);
  });

  it("changes a field, and everything in the editor, before it is approved", async () => {
    const editor = join(tempDir(), "my editor");
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/^goal:.*/goal: from the editor/" "$1"\n');
    chmodSync(editor, 0o755);
    const t = start(["write"], { env: { GIT_EDITOR: `'${editor}'` } });
    await t.answer("Immediate next intent", "First");
    await t.answer("Active goal?");
    await hurry(t);
    await t.shows("Write it?");
    t.type("e");
    await t.answer("Edit what?", KEY.down);
    await t.shows("Immediate next intent");
    t.type(`\u0015Second${KEY.enter}`);
    await t.shows("intent: Second");
    await t.shows("Write it?");
    t.type("e");
    await t.answer("Edit what?");
    await t.shows("goal: from the editor");
    await t.shows("Write it?");
    t.type("y");
    expect(await t.code()).toBe(0);
    expect(written().meta).toMatchObject({ intent: "Second", goal: "from the editor" });
  });

  it("leaves nothing behind on x", async () => {
    const t = start();
    await t.answer("Immediate next intent", "First");
    await t.answer("Active goal?");
    await t.answer("Was something tried or ruled out?", "look first");
    await t.answer(META, KEY.down);
    await t.answer("Is that right?");
    await t.answer("Something else that was ruled out?");
    await hurry(t, "State:");
    await t.shows("Write it?");
    t.type("x");
    expect(await t.code()).toBe(1);
    expect(t.screen.trimEnd().split("\n").at(-1)).toBe("Nothing written.");
    expect([handoffRefs(repo), existsSync(lessons()), drafts()]).toEqual(["", false, []]);
    expect(git(repo, "status", "--porcelain")).toBe("");
  });

  it("keeps a draft when left by Ctrl-C, and goes on from there next time", async () => {
    const one = start();
    await one.answer("Immediate next intent", "Finish");
    await one.answer("Active goal?", "Ship");
    await one.answer("Was something tried or ruled out?", "a lexer");
    await one.answer(META);
    await one.answer("Which kind is it?");
    await one.answer("Predicate", "user still wants one pass");
    await one.shows("Fallback");
    one.type(KEY.interrupt);
    expect(await one.code()).toBe(130);
    expect(one.screen).toContain("offered again next time");
    expect(handoffRefs(repo)).toBe("");
    expect(drafts()).toHaveLength(1);

    const two = start();
    await two.shows("A draft of");
    await two.shows("Finish");
    two.type(KEY.enter);
    await two.shows("a lexer");
    two.type(KEY.enter);
    await two.answer(META);
    await two.answer("Which kind is it?");
    await two.shows("user still wants one pass");
    two.type(KEY.enter);
    await two.answer("Fallback");
    await two.answer("Something else that was ruled out?");
    await hurry(two, "State:");
    await two.shows("Write it?");
    two.type("y");
    expect(await two.code()).toBe(0);
    expect(written().meta).toMatchObject({
      intent: "Finish",
      goal: "Ship",
      rejections: [{ claim: "a lexer", predicate: "user still wants one pass" }],
    });
    expect(two.screen).not.toContain("Immediate next intent");
    expect(drafts()).toEqual([]);
  });

  it("discards a draft when told, and keeps none before anything was said", async () => {
    const one = start();
    await one.answer("Immediate next intent", "Old");
    await one.shows("Active goal?");
    one.type(KEY.end);
    expect(await one.code()).toBe(130);
    const two = start();
    await two.answer("A draft of", KEY.down);
    await two.shows("Immediate next intent");
    two.type(KEY.interrupt);
    expect(await two.code()).toBe(130);
    expect(drafts()).toEqual([]);
  });

  it("offers to append to what is open", async () => {
    const first = writeJson(repo, ["-m", "Begin \u001b[31mred", "--goal", "Ship", "--state", "One."]);
    const t = start();
    await t.shows("Open for this branch:");
    await t.shows("Begin");
    await t.answer("Go on from it?");
    await t.answer("Immediate next intent", "Go on");
    await t.answer("Active goal?");
    await hurry(t);
    await t.shows("One.");
    await t.shows("Write it?");
    t.type("y");
    expect(await t.code()).toBe(0);
    expect(t.raw).not.toContain(`${ESCAPE}[31mred`);
    const { meta, body } = written();
    expect(meta).toMatchObject({ intent: "Go on", goal: "Ship", supersedes: [first.id] });
    expect(body).toContain("One.");
  });

  it("offers to overwrite or to abort", async () => {
    const first = writeJson(repo, ["-m", "Begin", "--goal", "Ship"]);
    const abort = start();
    await abort.answer("Go on from it?", KEY.up);
    expect(await abort.code()).toBe(1);
    expect(folder(repo, first.ref, "open")).toEqual([`${first.id}.md`]);
    const t = start();
    await t.answer("Go on from it?", KEY.down);
    await t.answer("Immediate next intent", "Anew");
    await t.answer("Active goal?");
    await hurry(t);
    await t.shows("Write it?");
    t.type("y");
    expect(await t.code()).toBe(0);
    expect(t.screen).toContain(`closed and no longer surfaced: ${first.id}`);
    expect(written().meta).toMatchObject({ goal: null, supersedes: [first.id] });
  });

  it("takes Enter at the approval for what is highlighted", async () => {
    const t = start();
    await t.answer("Immediate next intent", "Go on");
    await t.answer("Active goal?");
    await hurry(t);
    await t.answer("Write it?");
    expect(await t.code()).toBe(0);
    expect(written().meta).toMatchObject({ intent: "Go on" });
  });

  it("refuses what was approved when something else was written meanwhile, and keeps the answers", async () => {
    const t = start();
    await t.answer("Immediate next intent", "Mine");
    await t.answer("Active goal?");
    await hurry(t);
    await t.shows("Write it?");
    const other = writeJson(repo, ["-m", "Theirs"]);
    t.type("y");
    expect(await t.code()).toBe(1);
    expect(t.screen).toContain(`An open handoff exists for main: ${other.id}`);
    expect(t.screen).toContain("The answers are kept");
    expect(drafts()).toHaveLength(1);
  });

  it("offers the branch's pull request to watch", async () => {
    const bin = tempDir("bin");
    writeFileSync(join(bin, "gh"), '#!/bin/sh\necho \'{"number":12,"state":"OPEN"}\'\n');
    chmodSync(join(bin, "gh"), 0o755);
    const t = start(["write"], { env: { PATH: `${bin}:${process.env.PATH}` } });
    await t.answer("Immediate next intent", "x");
    await t.answer("Active goal?");
    await hurry(t, "Was something tried or ruled out?").catch(() => undefined);
    await t.shows("Write it?");
    t.type("e");
    await t.answer("Edit what?", `${KEY.up}${KEY.up}`);
    await t.answer("Watch for something from outside", KEY.up);
    await t.shows("● pull request #12 (OPEN)");
    t.type(KEY.enter);
    await t.answer("A note");
    await t.shows("Write it?");
    t.type("y");
    expect(await t.code()).toBe(0);
    expect(written().meta.watches).toEqual([{ pr: 12, state: "OPEN" }]);
  });

  it("shows a dry run without writing", async () => {
    const t = start(["write", "--dry-run"]);
    await t.answer("Immediate next intent", "x");
    await t.answer("Active goal?");
    await hurry(t);
    await t.shows("Write it?");
    t.type("y");
    expect(await t.code()).toBe(0);
    expect(handoffRefs(repo)).toBe("");
  });

  it("asks for impact and breaking in an inbox handoff", async () => {
    const t = start(["write", "--inbox"]);
    await t.answer("Immediate next intent", "Rename amount");
    await t.answer("Impact here", "Every caller changes");
    await t.answer("Is it breaking", KEY.up);
    await t.answer("Active goal?");
    await hurry(t);
    await t.shows("Write it?");
    t.type("y");
    expect(await t.code()).toBe(0);
    const ref = git(repo, "for-each-ref", "--format=%(refname)", "refs/handoff/HEAD");
    const [name] = folder(repo, ref, "inbox");
    expect(stored(repo, { ref, path: `inbox/${name}` }).meta).toMatchObject({ breaking: true });
    expect(t.screen).not.toContain("/clear");
  });
});

describe.skipIf(!hasTerminal)("a terminal", () => {
  const quick = async (t: Terminal): Promise<void> => {
    await t.answer("Immediate next intent", "Finish the parser of comments that go on for several lines");
    await t.answer("Active goal?");
    await hurry(t);
    await t.shows("Write it?");
  };

  it.each([20, 40])("of %i columns serves", async (columns) => {
    const t = start(["write"], { columns });
    await quick(t);
    t.type("y");
    expect(await t.code()).toBe(0);
    expect(written().meta.intent).toBe("Finish the parser of comments that go on for several lines");
  });

  it("gets no colours with NO_COLOR", async () => {
    const t = start(["write"], { env: { NO_COLOR: "1" } });
    await quick(t);
    t.type("y");
    expect(await t.code()).toBe(0);
    expect(t.raw).not.toMatch(/\u001b\[[0-9;]*m/);
  });

  it.each([
    ["that is dumb", { TERM: "dumb" }],
    ["read aloud", { ACCESSIBLE: "1" }],
  ])("%s gets plain lines", async (_, env) => {
    const t = start(["write"], { env });
    await t.answer("Immediate next intent", "Finish");
    await t.answer("Active goal?");
    await t.answer("Was something tried or ruled out?", "fewer files is better");
    await t.answer("2) a meta-lesson", "1");
    await t.answer("Enter for 5");
    await t.answer("Predicate", "user still prefers few files");
    await t.answer("Fallback");
    await t.answer("Something else that was ruled out?");
    await hurry(t, "State:");
    await t.answer("x) abort without writing", "y");
    expect(await t.code()).toBe(0);
    expect(t.raw).not.toContain(ESCAPE);
    expect(written().meta.rejections).toMatchObject([
      { kind: "goal-conditional", predicate: "user still prefers few files" },
    ]);
  });

  it("that is dumb is left by Ctrl-C and by the end of input", async () => {
    for (const key of [KEY.interrupt, KEY.end]) {
      const t = start(["write"], { env: { TERM: "dumb" } });
      await t.shows(key === KEY.interrupt ? "Immediate next intent" : "A draft of");
      t.type(key === KEY.interrupt ? `x${KEY.enter}` : `1${KEY.enter}`);
      await t.shows("Active goal?");
      t.type(key);
      expect(await t.code()).toBe(130);
      expect(t.screen).toContain("offered again next time");
    }
  });

  it("whose input is closed is not waited for", async () => {
    const t = new Terminal(repo, [], { shell: "write </dev/null" });
    expect(await t.code()).toBe(129);
    expect(t.screen).toContain("error: nothing to write");
  });

  it("is asked which of append, overwrite and abort where content was given", async () => {
    const first = writeJson(repo, ["-m", "Begin", "--goal", "Ship"]);
    const t = start(["write", "-m", "More"]);
    await t.answer("Go on from it?");
    expect(await t.code()).toBe(0);
    expect(written().meta).toMatchObject({ intent: "More", goal: "Ship", supersedes: [first.id] });
    const json = start(["write", "-m", "More", "--json"]);
    expect(await json.code()).toBe(1);
  });

  it("is offered another kind for an unknown one", async () => {
    put(repo, "h.yaml", "intent: x\nrejections: [{kind: vibe, claim: felt wrong, predicate: p}]\n");
    const t = start(["write", "--from", "h.yaml"]);
    await t.shows('Rejection 1 has the kind "vibe", which is none of the list: felt wrong');
    await t.answer("Which kind is it?", KEY.up);
    expect(await t.code()).toBe(0);
    expect(written().meta.rejections[0]?.kind).toBe("goal-conditional");
  });

  it("still gets the command's own errors", async () => {
    git(repo, "switch", "-q", "--detach");
    const t = start();
    expect(await t.code()).toBe(128);
    expect(t.screen).toContain("fatal: Cannot write a handoff: no git branch resolvable.");
  });
});

it("never asks where there is no terminal", () => {
  expect(handoff(repo, ["write"], { env: { XDG_STATE_HOME: state } }).code).toBe(129);
  expect(commit(repo, {})).toHaveLength(40);
});
