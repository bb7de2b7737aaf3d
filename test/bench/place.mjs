// Where the benchmark runs: a temporary folder with a HOME of its own, and the built program on PATH.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const at = process.argv.indexOf("--node");
export const node = at > 0 ? process.argv[at + 1] : process.execPath;
export const place = realpathSync(mkdtempSync(join(tmpdir(), "handoff-bench-")));

const bin = join(place, "bin");
mkdirSync(bin);
symlinkSync(node, join(bin, "node"));
symlinkSync(join(root, "dist/git-handoff.js"), join(bin, "git-handoff"));
chmodSync(join(root, "dist/git-handoff.js"), 0o755);
export const program = join(bin, "git-handoff");
const home = join(place, "home");
mkdirSync(home);
writeFileSync(
  join(home, ".gitconfig"),
  "[init]\n\tdefaultBranch = main\n[user]\n\tname = Ada\n\temail = ada@example.com\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n",
);

const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([key]) => !key.startsWith("GIT_") && !key.startsWith("XDG_")),
);
export const environment = {
  ...inherited,
  HOME: home,
  PATH: `${bin}${delimiter}${process.env.PATH}`,
  GIT_CONFIG_NOSYSTEM: "1",
  LC_ALL: "C.UTF-8",
};

export function run(cwd, input, command, ...args) {
  return execFileSync(command, args, {
    cwd,
    env: environment,
    input: input ?? "",
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["pipe", "pipe", "pipe"],
  }).trimEnd();
}
export const git = (cwd, ...args) => run(cwd, "", "git", ...args);
export const handoff = (cwd, ...args) => run(cwd, "", program, ...args);

let count = 0;
/** A repository with one commit on `main` and the hook installed. */
export function repository() {
  const dir = join(place, `r${++count}`);
  mkdirSync(dir);
  git(dir, "init", "-q");
  writeFileSync(join(dir, "README.md"), "# fixture\n");
  git(dir, "add", ".");
  // One commit for all: documents that are made in one repository and read in another name a commit that is there.
  const date = "2026-05-01T10:00:00Z";
  execFileSync("git", ["commit", "-q", "-m", "first"], {
    cwd: dir,
    env: { ...environment, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  });
  handoff(dir, "install");
  return dir;
}

/** Takes every handoff out of a repository again. */
export function clean(dir) {
  const refs = git(dir, "for-each-ref", "--format=delete %(refname)", "refs/handoff");
  if (refs) run(dir, `${refs}\n`, "git", "update-ref", "--stdin");
}
