// How long things take, as ratios measured side by side in one run: each command and what it is compared with are
// run in turn, and the middle of the pairs' ratios is printed. `--runs N` (15), `--only WORD`, `--node PATH`.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { cpus } from "node:os";
import { countRow, installRows, memoryRow } from "./measures.mjs";
import { clean, environment, git, node, place, program } from "./place.mjs";
import {
  ackedItems,
  allClosed,
  allClosedElsewhere,
  manyBranches,
  manyRefs,
  openWith,
  plain,
  withLog,
} from "./scenes.mjs";

const option = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at > 0 ? process.argv[at + 1] : undefined;
};
const runs = Number(option("runs") ?? 15);
const only = option("only");
const major = Number(
  spawnSync(node, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" }).stdout,
);
const rows = [];

function time([command, ...args], { cwd, input, env = {} }) {
  const start = process.hrtime.bigint();
  const result = spawnSync(command, args, {
    cwd,
    input: input ?? "",
    env: { ...environment, ...env },
    maxBuffer: 1 << 28,
  });
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  if (result.error || result.status !== 0)
    throw new Error(`${command} ${args.join(" ")}: ${result.error ?? result.stderr}`);
  return ms;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Runs `a` and `b` in turn; `before` prepares each of a's runs and is not timed. */
function compare(what, target, a, b, before = () => {}) {
  if (only && !what.includes(only)) return;
  const pairs = [];
  for (let run = -2; run < runs; run++) {
    before();
    const pair = [time(a.command, a), time(b.command, b)];
    if (run >= 0) pairs.push(pair);
  }
  const ratio = median(pairs.map(([x, y]) => x / y));
  row(
    what,
    `${median(pairs.map(([x]) => x)).toFixed(1)} ms`,
    `${b.name} ${median(pairs.map(([, y]) => y)).toFixed(1)} ms`,
    `${ratio.toFixed(2)}×`,
    `≤ ${target}×`,
    ratio <= target,
  );
}

function row(...cells) {
  rows.push(cells);
  console.error(cells.slice(0, 4).join("  "));
}

const hook = (cwd) => {
  const head = git(cwd, "rev-parse", "HEAD");
  return { command: [`${cwd}/.git/hooks/post-checkout`, head, head, "1"], cwd };
};
const revParse = (cwd) => ({ name: "git rev-parse", command: ["git", "rev-parse", "HEAD"], cwd });
const bareNode = (cwd) => ({ name: "node -e 0", command: [node, "-e", "0"], cwd });
const shown = major >= 22 ? { ten: 1.5, hundred: 1.8 } : { ten: 1.35, hundred: 1.6 };

try {
  for (const [what, target, scene] of [
    ["post-checkout, nothing open", 3, plain],
    ["post-checkout, nothing open, 20,000 packed refs", 3, manyRefs],
    ["post-checkout, all closed by this clone", 3, allClosed],
    ["post-checkout, all closed by a teammate", 3, allClosedElsewhere],
    ["post-checkout, 200 acknowledged inbox items of others", 6, ackedItems],
  ]) {
    if (only && !what.includes(only)) continue;
    const repository = scene();
    compare(what, target, hook(repository), revParse(repository));
  }
  for (const [count, target] of [
    [10, shown.ten],
    [100, shown.hundred],
  ]) {
    const repository = openWith(count);
    compare(`post-checkout showing ${count} grep predicates`, target, hook(repository), bareNode(repository));
    const start = JSON.stringify({
      session_id: "bench",
      hook_event_name: "SessionStart",
      source: "resume",
      cwd: repository,
    });
    let session = 0;
    const call = { command: [program, "session-start"], cwd: repository, input: start };
    compare(`session-start showing ${count} grep predicates`, target, call, bareNode(repository), () => {
      call.input = start.replace('"bench"', `"bench-${++session}"`);
    });
  }
  if (!only || "git handoff write".includes(only)) {
    const repository = plain();
    const write = {
      command: [program, "write", "--from", "-"],
      cwd: repository,
      input:
        "intent: measure\nnext: [go on]\nrejections:\n  - {kind: structural, claim: a, anchor: README.md, predicate: grep -q fixture README.md}\n",
    };
    compare("git handoff write --from -", 3.2, write, bareNode(repository), () => clean(repository));
  }
  if (!only || "git handoff list --all".includes(only)) {
    const repository = manyBranches(1000, 3);
    compare(
      "git handoff list --all, 1,000 branches of 3 writers",
      4,
      { command: [program, "list", "--all"], cwd: repository },
      bareNode(repository),
    );
  }
  if (!only || "write number".includes(only)) {
    const [small, large] = [withLog(9), withLog(999)];
    const write = (cwd) => ({
      name: "number 10",
      command: [program, "write", "--overwrite", "-m", "go on"],
      cwd,
    });
    compare("write number 1,000 of a log", 1.2, write(large.dir), write(small.dir), () => {
      small.reset();
      large.reset();
    });
  }
  if (!only || "git processes".includes(only)) for (const cells of countRow()) row(...cells);
  if (!only || "memory".includes(only)) row(...memoryRow());
  if (!only || "install".includes(only)) for (const cells of installRows()) row(...cells);
} finally {
  rmSync(place, { recursive: true, force: true });
}

const version = (command, ...args) => spawnSync(command, args, { encoding: "utf8" }).stdout.trim();
console.log(
  `${version("git", "--version")}, Node ${version(node, "--version")}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${runs} pairs each, medians\n`,
);
console.log("| what | time | compared with | ratio | target | |\n|---|---|---|---|---|---|");
for (const [what, a, b, ratio, target, met] of rows)
  console.log(
    `| ${what} | ${a} | ${b} | ${ratio} | ${target} | ${met === null ? "" : met ? "met" : "**missed**"} |`,
  );
