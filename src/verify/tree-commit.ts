/**
 * A commit's tree as a FileTree, for a branch that is not checked out and for bare repositories. Questions
 * asked in the same turn go to git together, so that a hundred checks still cost a handful of processes.
 */
import type { RunGit } from "../git/process.js";
import { batched, MAX_ARGUMENTS, slices } from "./batch.js";
import { batchCheck } from "./batch-check.js";
import type { FileTree, PathFact } from "./facts.js";
import { pathParts } from "./tree-path.js";

interface Entry {
  /** `100644`, `100755`, `120000`, `160000`, `040000`. */
  mode: string;
  oid: string;
}

/** Bytes of one answer at most; git is killed beyond it. */
const MAX_OUTPUT = 64 << 20;
/** Bytes of blobs asked for in one process. */
const MAX_BATCH = 32 << 20;
/** As the kernel's own bound on links in one path. */
const MAX_LINKS = 40;

const fact = (kind: PathFact["kind"], resolved: string | null = null): PathFact => ({
  kind,
  size: 0,
  executable: false,
  resolved,
});

/** Reads `ls-tree -z` output into `into`. */
function readEntries(output: Buffer, into: Map<string, Entry>): void {
  for (const row of output.toString("utf8").split("\0")) {
    const tab = row.indexOf("\t");
    const [mode, , oid] = row.slice(0, tab).split(" ");
    if (tab < 0 || mode === undefined || oid === undefined) continue;
    into.set(row.slice(tab + 1), { mode, oid });
  }
}

/**
 * Files in the tree of `commit` (a full id). Never downloads: what is not here is `special`.
 * `timeout` in milliseconds for each call of git; its methods reject when git cannot answer.
 */
export function commitTree(git: RunGit, commit: string, timeout = 2_000): FileTree {
  async function run(args: string[], input?: string): Promise<Buffer> {
    const options = { maxBuffer: MAX_OUTPUT, timeout };
    const result = await git(args, input === undefined ? options : { ...options, input });
    if (result.code !== 0) throw new Error(`git ${args[0]} could not read ${commit}`);
    return result.stdout;
  }

  const entry = batched<Entry>(async (paths) => {
    const found = new Map<string, Entry>();
    for (const some of slices(paths, (path) => path.length * 3 + 1, MAX_ARGUMENTS)) {
      // -t: a folder asked for beside a path below it is shown too.
      readEntries(await run(["ls-tree", "-t", "-z", "--full-tree", commit, "--", ...some]), found);
    }
    return found;
  });

  const sizes = batched<number>(async (oids) => {
    const lines = await batchCheck(oids, (input) =>
      git(["cat-file", "--batch-check"], { maxBuffer: MAX_OUTPUT, timeout, input }),
    );
    const found = new Map<string, number>();
    for (const line of lines) {
      const [oid, type, size] = (line ?? "").split(" ");
      if (oid !== undefined && type === "blob") found.set(oid, Number(size));
    }
    return found;
  });

  const blobs = batched<Uint8Array>(async (oids) => {
    const found = new Map<string, Uint8Array>();
    const known = await Promise.all(oids.map(async (oid) => ({ oid, size: await sizes(oid) })));
    const here = known.flatMap(({ oid, size }) => (size === null ? [] : [{ oid, size }]));
    for (const some of slices(here, ({ size }) => size, MAX_BATCH)) {
      const output = await run(["cat-file", "--batch"], some.map(({ oid }) => `${oid}\n`).join(""));
      let at = 0;
      while (at < output.length) {
        const end = output.indexOf(10, at);
        if (end < 0) break;
        const [oid, type, size] = output.toString("latin1", at, end).split(" ");
        at = end + 1;
        if (oid === undefined || type !== "blob") continue;
        found.set(oid, output.subarray(at, at + Number(size)));
        at += Number(size) + 1;
      }
    }
    return found;
  });

  /** The entry behind a path after symlinks, with its own path; or why there is none. */
  async function resolve(path: string): Promise<{ entry: Entry; path: string } | PathFact["kind"]> {
    let parts = pathParts(path);
    if (parts === null) return "outside";
    if (path === "") return "missing";
    const mustBeFolder = path.endsWith("/") || path.endsWith("/.");
    for (let links = 0; links <= MAX_LINKS; links++) {
      if (parts.length === 0) return { entry: { mode: "040000", oid: `${commit}^{tree}` }, path: "" };
      const whole: string = parts.join("/");
      let at = await entry(whole);
      let length: number = parts.length;
      if (at === null) {
        // Not there as it is spelt: some folder on the way may be a link, a file or a submodule.
        const prefixes = parts.slice(0, -1).map((_, index) => (parts ?? []).slice(0, index + 1).join("/"));
        const found = await Promise.all(prefixes.map((prefix) => entry(prefix)));
        const odd = found.findIndex((one) => one !== null && one.mode !== "040000");
        at = odd < 0 ? null : (found[odd] ?? null);
        length = odd + 1;
        if (at === null) return "missing";
        if (at.mode === "160000") return "special";
        if (at.mode !== "120000") return "missing";
      }
      if (at.mode !== "120000") {
        return mustBeFolder && at.mode !== "040000" && at.mode !== "160000"
          ? "missing"
          : { entry: at, path: whole };
      }
      const target = await blobs(at.oid);
      if (target === null) return "special";
      const folder: string[] = parts.slice(0, length - 1);
      parts = pathParts([...folder, Buffer.from(target).toString("utf8"), ...parts.slice(length)].join("/"));
      if (parts === null || target[0] === 47) return "outside";
    }
    return "missing";
  }

  return {
    async stat(path) {
      const found = await resolve(path);
      if (typeof found === "string") return fact(found);
      if (found.entry.mode === "040000" || found.entry.mode === "160000") {
        return { ...fact("folder", found.path), executable: true };
      }
      const size = await sizes(found.entry.oid);
      if (size === null) return fact("special");
      return { kind: "file", size, executable: found.entry.mode === "100755", resolved: found.path };
    },

    async read(path) {
      const found = await resolve(path);
      if (typeof found === "string" || !found.entry.mode.startsWith("100")) return null;
      return blobs(found.entry.oid);
    },

    async walk(path, limit) {
      const found = await resolve(path);
      if (typeof found === "string") return { files: [], complete: true };
      if (found.entry.mode.startsWith("100")) return { files: [found.path], complete: true };
      if (found.entry.mode !== "040000") return { files: [], complete: false };
      const entries = new Map<string, Entry>();
      const where = found.path === "" ? [] : ["--", `${found.path}/`];
      readEntries(await run(["ls-tree", "-r", "-z", "--full-tree", commit, ...where]), entries);
      const files = [...entries].filter(([, one]) => one.mode.startsWith("100")).map(([name]) => name);
      return { files: files.sort().slice(0, limit), complete: files.length <= limit };
    },
  };
}
