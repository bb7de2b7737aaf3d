// What is not a time: processes, memory, the installed package.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { environment, git, handoff, node, place, program, repository, root, run } from "./place.mjs";
import { withLog } from "./scenes.mjs";

/** git processes of a command; a git that counts stands before the real one. */
function processes(cwd, ...args) {
  const folder = join(place, "counting");
  const log = join(place, "counted");
  const real = run(place, "", "sh", "-c", "command -v git");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "git"), `#!/bin/sh\necho "$*" >>'${log}'\nexec '${real}' "$@"\n`);
  chmodSync(join(folder, "git"), 0o755);
  writeFileSync(log, "");
  spawnSync(program, args, {
    cwd,
    env: { ...environment, PATH: `${folder}${delimiter}${environment.PATH}` },
    input: "",
  });
  return readFileSync(log, "utf8").split("\n").filter(Boolean).length;
}

export function countRow() {
  const hub = (dir) => {
    const bare = `${dir}.git`;
    git(place, "init", "-q", "--bare", bare);
    git(dir, "remote", "add", "origin", bare);
    return dir;
  };
  const [one, many] = [withLog(1), withLog(1000)].map(({ dir }) => hub(dir));
  return ["read", "list", "push", "fetch"].map((verb) => {
    const [few, lots] = [one, many].map((dir) => processes(dir, verb));
    return [
      `git processes of ${verb}, 1,000 handoffs`,
      String(lots),
      `1 handoff: ${few}`,
      lots === few ? "constant" : "grows",
      "constant",
      lots === few,
    ];
  });
}

/** Peak resident memory in MiB, as the system counts it: what a process says of itself begins with its parent's. */
function peak(cwd, ...command) {
  const report = join(place, "peak");
  const probe = join(place, "peak.cjs");
  writeFileSync(
    probe,
    `const { readFileSync, writeFileSync } = require("node:fs");
process.on("exit", () => {
  const peak = /^VmHWM:\\s*(\\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))[1];
  writeFileSync(${JSON.stringify(report)}, peak);
});\n`,
  );
  const values = Array.from({ length: 5 }, () => {
    const { status, stderr } = spawnSync(node, command, {
      cwd,
      env: { ...environment, NODE_OPTIONS: `--require=${probe}` },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    return Number(readFileSync(report, "utf8")) / 1024;
  });
  return values.toSorted((a, b) => a - b)[2];
}

export function memoryRow() {
  const dir = repository();
  for (let part = 0; part < 10; part++) writeFileSync(join(dir, `large${part}.bin`), randomBytes(32 << 20));
  git(dir, "add", ".");
  git(dir, "-c", "core.compression=0", "commit", "-q", "-m", "large");
  git(dir, "-c", "pack.window=0", "-c", "core.compression=0", "repack", "-adq");
  handoff(dir, "write", "-m", "go on", "--done", "README.md=fixture");
  git(dir, "repack", "-q");
  const read = peak(dir, join(root, "dist/git-handoff.js"), "read");
  const bare = peak(dir, "-e", "0");
  const ratio = read / bare;
  return [
    "memory of read, a pack of 320 MB",
    `${read.toFixed(0)} MiB`,
    `node -e 0 ${bare.toFixed(0)} MiB`,
    `${ratio.toFixed(2)}×`,
    "≤ 1.5×",
    ratio <= 1.5,
  ];
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}

export function installRows() {
  const packed = JSON.parse(
    run(root, "", "npm", "pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", place),
  )[0];
  const prefix = join(place, "prefix");
  const start = process.hrtime.bigint();
  run(
    place,
    "",
    "npm",
    "install",
    "-g",
    "--silent",
    "--no-audit",
    "--no-fund",
    "--prefix",
    prefix,
    join(place, packed.filename),
  );
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    [
      "size of the installed package",
      mb(sizeOf(join(prefix, "lib/node_modules/git-handoff"))),
      `tarball ${mb(packed.size)}`,
      "",
      "stated",
      null,
    ],
    ["time of npm install -g (from the tarball)", `${seconds.toFixed(1)} s`, "", "", "stated", null],
  ];
}
