// The main job, end to end, on a clone of this repository or of `--repo <path>`: write, push, plain fetch, switch,
// a predicate that stops holding, close, sync. Everything is real git in a temporary folder; nothing outside it changes.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const option = process.argv.indexOf("--repo");
const source = resolve(option > 0 ? (process.argv[option + 1] ?? "") : root);
const place = realpathSync(mkdtempSync(join(tmpdir(), "handoff-demo-")));
const plain = process.argv.includes("--plain") || !process.stdout.isTTY;
const bold = (text) => (plain ? text : `\x1b[1m${text}\x1b[0m`);

// `git handoff` finds the program on PATH, as after `npm install -g`.
const bin = join(place, "bin");
mkdirSync(bin);
writeFileSync(
  join(bin, "git-handoff"),
  `#!/bin/sh\nexec '${process.execPath}' '${join(root, "dist/git-handoff.js")}' "$@"\n`,
);
chmodSync(join(bin, "git-handoff"), 0o755);
const home = join(place, "home");
mkdirSync(home);
const clean = Object.fromEntries(
  Object.entries(process.env).filter(([key]) => !key.startsWith("GIT_") && key !== "XDG_STATE_HOME"),
);
const env = {
  ...clean,
  HOME: home,
  XDG_CONFIG_HOME: join(home, ".config"),
  PATH: `${bin}${delimiter}${process.env.PATH}`,
  GIT_CONFIG_NOSYSTEM: "1",
};
const failures = [];

function quiet(cwd, ...args) {
  return execFileSync("git", args, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  }).trim();
}

/** Shows a command and what it prints, as the person there sees it. */
function show(who, cwd, command, input) {
  console.log(
    `\n${bold(`${who} $ ${command.map((word) => (/[^\w@%+=:,./-]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word)).join(" ")}`)}`,
  );
  if (input) console.log(input.replace(/^/gm, "> ").trimEnd());
  const [program, ...args] = command;
  const result = spawnSync(program, args, {
    cwd,
    env,
    encoding: "utf8",
    input: input ?? "",
    maxBuffer: 1 << 28,
  });
  const text = `${result.stdout}${result.stderr}`.replaceAll(place, "…").trimEnd();
  if (text) console.log(text);
  if (result.status !== 0) failures.push(`${command.join(" ")} ended with ${result.status}`);
  return text;
}

function expect(what, truth) {
  if (!truth) failures.push(what);
}

/** Lines of tracked text files that stand there once: what the demonstration's predicates look for. */
function distinctiveLines(cwd, count) {
  const found = [];
  for (const path of quiet(cwd, "ls-files", "-z").split("\0")) {
    if (
      !/^[\w./-]+\.(md|json|ts|js|mjs|c|h|py|go|rs|java|rb|sh|txt|toml|ya?ml|yml|html|css|adoc)$/.test(path)
    )
      continue;
    const file = join(cwd, path);
    if (!statSync(file).isFile() || statSync(file).size > 200_000) continue;
    const lines = readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.trim());
    const line = lines.find(
      (text) =>
        /^[\x20-\x7e]{18,60}$/.test(text) &&
        !/['\\]/.test(text) &&
        !text.startsWith("-") &&
        lines.filter((other) => other.includes(text)).length === 1,
    );
    if (line) found.push({ path, line, at: lines.indexOf(line) + 1 });
    if (found.length === count) break;
  }
  if (found.length < count) throw new Error(`${cwd}: too few text files for a demonstration`);
  return found;
}

/** What is parked on a clone of this project. */
function ownScene() {
  return {
    change: "package.json moves to another major version of yargs",
    path: "package.json",
    before: '"yargs": "18.',
    after: '"yargs": "19.',
    document: `intent: Teach the hook to show two handoffs at once
goal: A checkout never hides a teammate's handoff
state: The join brings both; the block still draws the newest alone.
next:
  - Draw the second block under the first
  - Ask Bob to try it on a narrow terminal
pointers:
  - src/surface/text.ts
rejections:
  - kind: structural
    claim: Parsing the documents with the yaml library in the hook, it doubles the start
    anchor: src/hook.ts
    predicate: "! grep -q 'from \\"yaml\\"' src/hook.ts"
  - kind: empirical-external
    claim: Writing an argument parser, yargs 18 does it all
    anchor: yargs 18
    predicate: "grep -qF '\\"yargs\\": \\"18.' package.json"
  - kind: goal-conditional
    claim: Showing the newest handoff only
    predicate: user still wants every open handoff shown
artifacts:
  - claim: The block is drawn from a report alone
    evidence: src/surface/text.ts
unresolved:
  - kind: risk
    text: Two long handoffs may not fit an agent's limit
`,
  };
}

/** The same on any repository: its own lines are what the predicates look for. */
function sceneOf(dir) {
  const [first, second, third] = distinctiveLines(dir, 3);
  return {
    change: `${second.path} loses the line that a rejection rests on`,
    path: second.path,
    before: second.line,
    after: "",
    document: `intent: Finish the parser without touching ${first.path}
goal: Parser accepts nested lists
state: Tokeniser done; nested lists still fail.
next:
  - Make the nested-list test pass
  - Ask Bob for a review
pointers:
  - ${first.path}
rejections:
  - kind: structural
    claim: "Rewriting ${first.path}, its readers rely on the wording"
    anchor: ${first.path}:${first.at}
    predicate: ${JSON.stringify(`grep -qF '${first.line}' ${first.path}`)}
  - kind: empirical-local
    claim: "Moving the check out of ${second.path}"
    anchor: ${second.path}:${second.at}
    predicate: ${JSON.stringify(`grep -qF '${second.line}' ${second.path}`)}
  - kind: goal-conditional
    claim: A new parser library
    predicate: user still wants no new dependency
artifacts:
  - claim: Tokeniser handles brackets
    evidence: ${third.path}:${third.at}
unresolved:
  - kind: risk
    text: Deep nesting may overflow the stack
`,
  };
}

try {
  console.log(bold(`A demonstration on ${option > 0 ? source : "this repository"}, in ${place}`));
  const hub = join(place, "hub.git");
  quiet(place, "clone", "-q", "--bare", source, hub);
  const trunk = quiet(place, "--git-dir", hub, "symbolic-ref", "--short", "HEAD");
  const clone = (name, email) => {
    const dir = join(place, name.toLowerCase());
    quiet(place, "clone", "-q", hub, dir);
    quiet(dir, "config", "user.name", name);
    quiet(dir, "config", "user.email", email);
    return dir;
  };
  const ada = clone("Ada", "ada@example.com");
  const bob = clone("Bob", "bob@example.com");
  quiet(ada, "switch", "-q", "-c", "fix-parser");
  quiet(ada, "push", "-q", "-u", "origin", "fix-parser");
  const scene = option > 0 ? sceneOf(ada) : ownScene();

  console.log(bold("\n# Ada parks her work on fix-parser, with three things she ruled out"));
  show("ada", ada, ["git", "handoff", "install"]);
  const written = show("ada", ada, ["git", "handoff", "write", "--from", "-"], scene.document);
  expect(
    "the handoff is written",
    /Handoff written: refs\/handoff\/fix-parser\/ada-[0-9a-f]{6} [0-9a-f]{7} \(3 rejections, intent captured\)\./.test(
      written,
    ),
  );
  show("ada", ada, ["git", "handoff", "push"]);

  console.log(bold("\n# Bob fetches with plain git and switches to the branch"));
  show("bob", bob, ["git", "handoff", "install"]);
  show("bob", bob, ["git", "fetch"]);
  const block = show("bob", bob, ["git", "switch", "fix-parser"]);
  expect("the block shows", block.includes("Open handoff detected for fix-parser"));
  expect("two hold", block.includes("... (2 holding)"));

  console.log(bold(`\n# The code changes: ${scene.change}`));
  quiet(bob, "switch", "-q", trunk);
  const path = join(ada, scene.path);
  writeFileSync(path, readFileSync(path, "utf8").split(scene.before).join(scene.after));
  quiet(ada, "commit", "-q", "-am", "Move on");
  quiet(ada, "push", "-q");
  quiet(bob, "fetch", "-q");
  quiet(bob, "branch", "-f", "fix-parser", "origin/fix-parser");
  const shifted = show("bob", bob, ["git", "switch", "fix-parser"]);
  expect("the ground has shifted", /Ground may have shifted[\s\S]*predicate failed/.test(shifted));
  expect("one still holds", shifted.includes("... (1 holding)"));

  console.log(bold("\n# Bob finishes, closes it and syncs; Ada sees it closed"));
  show("bob", bob, ["git", "handoff", "close", "-m", "merged"]);
  show("bob", bob, ["git", "handoff", "sync"]);
  show("ada", ada, ["git", "handoff", "sync"]);
  const list = show("ada", ada, ["git", "handoff", "list", "--closed"]);
  expect("it is closed for Ada", /closed/.test(list));
  const after = show("ada", ada, ["git", "handoff"]);
  expect("nothing is open", after.includes("No open handoff for fix-parser."));
} finally {
  if (!process.argv.includes("--keep")) rmSync(place, { recursive: true, force: true });
}
for (const failure of failures) console.error(`demo: ${failure}`);
console.log(
  failures.length === 0
    ? "\nThe demonstration did what it should."
    : `\n${failures.length} steps did not do what they should.`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
