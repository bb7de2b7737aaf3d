/** Words in which a labelled history is written: real git commands on copies of one small repository. */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Ancestry } from "../../../src/surface/report.js";

export interface Label {
  ancestry: Ancestry;
  /** Commits since, for an ancestor; left out where a history has no certain number. */
  behind?: number;
  /** Part of the note the reader needs. */
  note?: RegExp;
}

export interface Asked {
  /** Where the question is asked. */
  repo: History;
  /** The document's `git` value, or a commit id. */
  git: string;
  /** For `rewritten`: the commit that carries the change now. */
  as?: string;
}

export interface LabelledHistory {
  name: string;
  /** The verdict, reasoned from what was done, before any tool was asked. */
  label: Label;
  /** The reasoning. */
  why: string;
  build(from: History): Asked;
}

/** A file of 30 distinct lines; `edits` replaces some by number. */
export function text(name: string, edits: Record<number, string> = {}): string {
  return Array.from({ length: 30 }, (_, at) => `${edits[at + 1] ?? `${name} line number ${at + 1}`}\n`).join(
    "",
  );
}

let clock = Date.UTC(2026, 3, 1) / 1000;

/** Every command an hour after the one before: dates are distinct, as people's are. */
function environment(frozen: boolean): NodeJS.ProcessEnv {
  if (!frozen) clock += 3600;
  const kept = Object.entries(process.env).filter(([key]) => !key.startsWith("GIT_"));
  return {
    ...Object.fromEntries(kept),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.com",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.com",
    GIT_AUTHOR_DATE: `${clock} +0000`,
    GIT_COMMITTER_DATE: `${clock} +0000`,
    GIT_EDITOR: "true",
    GIT_MERGE_AUTOEDIT: "no",
    LC_ALL: "C",
  };
}

export class History {
  frozen = false;

  private constructor(readonly dir: string) {}

  private static root = "";
  private static template = "";
  private static count = 0;

  /** On `main`: app, lib, docs and a binary file, in one commit. */
  static fresh(): History {
    if (!History.root) {
      History.root = realpathSync(mkdtempSync(join(tmpdir(), "handoff-corpus-")));
      const template = new History(join(History.root, "template"));
      mkdirSync(template.dir);
      template.git("init", "-q", "-b", "main");
      rmSync(join(template.dir, ".git/hooks"), { recursive: true, force: true });
      template.commit(
        {
          "src/app.ts": text("app"),
          "src/lib.ts": text("lib"),
          "docs/guide.md": text("guide"),
          "logo.bin": "\0\x01\x02",
        },
        "start",
      );
      History.template = template.dir;
    }
    const copy = History.at(`h${++History.count}`);
    cpSync(History.template, copy.dir, { recursive: true });
    return copy;
  }

  private static at(name: string): History {
    return new History(join(History.root, name));
  }

  static removeAll(): void {
    if (History.root) rmSync(History.root, { recursive: true, force: true });
    History.root = "";
  }

  /** Runs git; throws on failure; output without the last newline. */
  git(...args: string[]): string {
    return this.run(args);
  }

  /** The same for a command that is meant to stop (a conflict, a failing step). */
  tryGit(...args: string[]): void {
    try {
      this.run(args);
    } catch {
      // Expected: the history goes on from here.
    }
  }

  run(args: readonly string[], extra: { env?: NodeJS.ProcessEnv; input?: string } = {}): string {
    return execFileSync("git", ["-c", "advice.detachedHead=false", "-c", "gc.auto=0", ...args], {
      cwd: this.dir,
      env: { ...environment(this.frozen), ...extra.env },
      encoding: "utf8",
      stdio: [extra.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      ...(extra.input === undefined ? {} : { input: extra.input }),
      maxBuffer: 1 << 26,
    }).trimEnd();
  }

  put(files: Record<string, string>): this {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.dir, path)), { recursive: true });
      writeFileSync(join(this.dir, path), content, "latin1");
    }
    return this;
  }

  remove(path: string): this {
    rmSync(join(this.dir, path), { force: true });
    return this;
  }

  executable(path: string): this {
    chmodSync(join(this.dir, path), 0o755);
    return this;
  }

  commit(files: Record<string, string>, message: string, ...options: string[]): string {
    this.put(files);
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", message, ...options);
    return this.head();
  }

  head(rev = "HEAD"): string {
    return this.git("rev-parse", rev);
  }

  branch(name: string): this {
    this.git("checkout", "-q", "-b", name);
    return this;
  }

  on(name: string): this {
    this.git("checkout", "-q", name);
    return this;
  }

  /** Ends a stopped rebase, pick or merge with this content. */
  resolve(files: Record<string, string>, command: "rebase" | "cherry-pick" | "merge"): this {
    this.put(files);
    this.git("add", "-A");
    this.git(command, "--continue");
    return this;
  }

  /** An interactive rebase with a written list; `%1` … stand for the commits listed, oldest first. */
  rebaseList(onto: string, ...steps: string[]): void {
    const commits = this.git("rev-list", "--reverse", `${onto}..HEAD`).split("\n");
    const list = steps
      .map((step) => step.replace(/%(\d+)/g, (_, at) => commits[Number(at) - 1] ?? ""))
      .join("\n");
    const file = join(dirname(this.dir), `list-${History.count}-${clock}`);
    writeFileSync(file, `${list}\n`);
    this.run(["rebase", "-q", "-i", onto], { env: { GIT_SEQUENCE_EDITOR: `cp '${file}'` } });
  }

  /** Another clone of this repository. */
  clone(...options: string[]): History {
    const copy = History.at(`h${++History.count}`);
    this.git("clone", "-q", ...options, `file://${this.dir}`, copy.dir);
    return copy;
  }

  worktree(branch: string): History {
    const copy = History.at(`h${++History.count}`);
    this.git("worktree", "add", "-q", copy.dir, branch);
    return copy;
  }
}
