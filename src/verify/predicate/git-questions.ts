/** The questions asked of git, in the fixed forms that run, write and fetch nothing; those that can, together. */
import type { GitResult } from "../../git/process.js";
import { batched, MAX_ARGUMENTS, slices } from "../batch.js";
import { batchCheck } from "../batch-check.js";
import type { Facts } from "../facts.js";
import type { Budget } from "./budget.js";
import { CannotEvaluate, REASONS } from "./cannot-evaluate.js";

/** Bytes of one answer; a list of all tracked files fits. */
const MAX_OUTPUT = 64 << 20;

export interface IndexEntry {
  mode: string;
  oid: string;
  /** More than one stage: a merge is under way. */
  unmerged: boolean;
  /** git takes the file in the work tree for unchanged without looking (sparse checkout, assume-unchanged). */
  frozen: boolean;
}

export interface TreeEntry {
  mode: string;
  oid: string;
}

export class GitQuestions {
  private readonly facts: Facts;
  private readonly budget: Budget;
  /** Folder git starts in: paths are relative to the top whatever the reader's folder. */
  private readonly cwd: string;

  constructor(facts: Facts, budget: Budget) {
    this.facts = facts;
    this.budget = budget;
    this.cwd = facts.repository.workTree ?? facts.repository.gitDir;
  }

  /** Objects may be absent without having been removed. */
  get incomplete(): boolean {
    return this.facts.repository.shallow || this.facts.repository.partial;
  }

  /** A process of its own. `negative`: the exit code that is an answer besides 0. */
  private async run(args: readonly string[], input?: string | Uint8Array): Promise<GitResult> {
    return this.check(
      await this.budget.process((timeout) => this.facts.git(args, this.options(timeout, input))),
    );
  }

  private async together(args: readonly string[], input?: string): Promise<Buffer> {
    const result = this.check(
      await this.budget.shared((timeout) => this.facts.git(args, this.options(timeout, input))),
    );
    if (result.code !== 0) throw new CannotEvaluate(`git ${args[0]} could not answer`);
    return result.stdout;
  }

  private options(timeout: number, input?: string | Uint8Array) {
    const options = { cwd: this.cwd, timeout, maxBuffer: MAX_OUTPUT };
    return input === undefined ? options : { ...options, input };
  }

  private check(result: GitResult): GitResult {
    if (result.timedOut) throw this.budget.stopped();
    return result;
  }

  /** 0 is true, 1 is false, anything else no answer. */
  private yesOrNo(result: GitResult, what: string): boolean {
    if (result.code === 0) return true;
    if (result.code === 1) return false;
    throw new CannotEvaluate(`git ${what} could not answer`);
  }

  /** `HEAD` of a branch that is not checked out is its commit. */
  revision(text: string): string {
    return this.facts.commit === null ? text : text.replace(/^(?:HEAD|@)(?=[~^:]|$)/, this.facts.commit);
  }

  private readonly objects = batched<string>(async (names) => {
    const ask = async (input: string): Promise<GitResult> =>
      this.check(
        await this.budget.shared((timeout) =>
          this.facts.git(["cat-file", "--batch-check"], this.options(timeout, input)),
        ),
      );
    const lines = await (this.facts.repository.partial ? batchCheck(names, ask) : batchCheck(names, ask, 0));
    const found = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      const line = lines[index];
      const match = /^([0-9a-f]{40,64}) [a-z]+ \d+$/.exec(line ?? "");
      if (match?.[1] !== undefined) found.set(name, match[1]);
      else if (line?.endsWith(" ambiguous")) found.set(name, "ambiguous");
      else if (line === null && !this.incomplete) throw new CannotEvaluate("git cat-file could not answer");
    }
    return found;
  });

  /** The object a plain revision names, or null where it is not here. Throws for an ambiguous one. */
  async object(revision: string): Promise<string | null> {
    const oid = await this.objects(this.revision(revision));
    if (oid === "ambiguous") throw new CannotEvaluate("the revision is ambiguous");
    return oid;
  }

  private readonly refs = batched<true>(async (names) => {
    const found = new Map<string, true>();
    for (const some of slices(names, (name) => name.length + 1, MAX_ARGUMENTS)) {
      const output = await this.together(["for-each-ref", "--format=%(refname)", ...some]);
      for (const name of output.toString("utf8").split("\n")) found.set(name, true);
    }
    return found;
  });

  async refExists(name: string): Promise<boolean> {
    return (await this.refs(name)) === true;
  }

  private readonly index = batched<IndexEntry[]>(async (paths) => {
    const found = new Map<string, IndexEntry[]>();
    for (const some of slices(paths, (path) => path.length * 3 + 1, MAX_ARGUMENTS)) {
      // An empty path is the top; git wants it as a dot.
      const output = await this.together([
        "ls-files",
        "-s",
        "-v",
        "-z",
        "--",
        ...some.map((path) => path || "."),
      ]);
      for (const row of output.toString("utf8").split("\0")) {
        const match = /^(\S) (\d{6}) ([0-9a-f]+) ([0-3])\t(.*)$/s.exec(row);
        if (match === null) continue;
        const [, tag = "", mode = "", oid = "", stage, path = ""] = match;
        const entry = {
          mode,
          oid,
          unmerged: stage !== "0",
          frozen: tag === "S" || tag !== tag.toUpperCase(),
        };
        // Under its own name and under every folder asked for.
        for (let name = path; ; name = name.slice(0, Math.max(0, name.lastIndexOf("/")))) {
          const list = found.get(name);
          if (list === undefined) found.set(name, [entry]);
          else if (name === path) list.push(entry);
          if (name === "") break;
        }
      }
    }
    return found;
  });

  /** Index entries of a file (several stages in a merge), or one of those below a folder; null: none. */
  async indexEntries(path: string): Promise<IndexEntry[] | null> {
    if (this.facts.repository.workTree === null) throw new CannotEvaluate("a bare repository has no index");
    return this.index(path);
  }

  /** Folders of the work tree that hold tracked files below `path` (null: all), each once. */
  async trackedFolders(path: string | null): Promise<string[]> {
    const result = await this.run(["ls-files", "-z", "--", path || "."]);
    if (result.code !== 0) throw new CannotEvaluate("git ls-files could not answer");
    const folders = new Set<string>();
    for (const file of result.stdout.toString("utf8").split("\0")) {
      for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
        const folder = file.slice(0, end);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
    return [...folders];
  }

  async isAncestor(ancestor: string, descendant: string): Promise<boolean> {
    const result = await this.run(["merge-base", "--is-ancestor", ancestor, descendant]);
    return this.yesOrNo(result, "merge-base");
  }

  /** Arguments of one `git grep`, already in a fixed form. */
  async grep(args: readonly string[]): Promise<boolean> {
    const fixed = ["-q", "--no-color", "--no-textconv", "--no-recurse-submodules", "--threads=1"];
    return this.yesOrNo(await this.run(["grep", ...fixed, ...args]), "grep");
  }

  /** Whether two trees (ids) are the same, at `path` or in all. */
  async sameTrees(one: string, other: string, path: string | null): Promise<boolean> {
    if (one === other) return true;
    const fixed = ["-r", "--quiet", "--no-ext-diff", "--no-textconv", "--no-renames"];
    const where = path === null || path === "" ? [] : ["--", path];
    return this.yesOrNo(await this.run(["diff-tree", ...fixed, one, other, ...where]), "diff-tree");
  }

  async treeEntry(tree: string, path: string): Promise<TreeEntry | null> {
    const result = await this.run(["ls-tree", "-z", "--full-tree", tree, "--", path]);
    if (result.code !== 0) throw new CannotEvaluate("git ls-tree could not answer");
    const match = /^(\d{6}) \S+ ([0-9a-f]+)\t/.exec(result.stdout.toString("utf8"));
    return match?.[1] === undefined || match[2] === undefined ? null : { mode: match[1], oid: match[2] };
  }

  /** The blob id git would store for a file of the work tree. Throws where that would run a filter. */
  async blobOf(path: string, bytes: Uint8Array): Promise<string> {
    const attributes = await this.run(["check-attr", "-z", "filter", "--", path]);
    const value = attributes.stdout.toString("utf8").split("\0")[2];
    if (attributes.code !== 0 || value === undefined)
      throw new CannotEvaluate("git check-attr could not answer");
    if (value !== "unspecified" && value !== "unset") throw new CannotEvaluate(REASONS.filter);
    // By its bytes, so that git opens nothing.
    const safe = ["-c", "core.safecrlf=false", "hash-object", "--stdin", `--path=${path}`];
    const result = await this.run(safe, bytes);
    const oid = result.stdout.toString("latin1").trim();
    if (result.code !== 0 || !/^[0-9a-f]{40,64}$/.test(oid)) {
      throw new CannotEvaluate("git hash-object could not answer");
    }
    return oid;
  }

  /** Whether the executable bit of files counts. */
  async fileModeCounts(): Promise<boolean> {
    const result = await this.run(["config", "--type=bool", "--default=true", "core.fileMode"]);
    return result.stdout.toString("latin1").trim() !== "false";
  }
}
