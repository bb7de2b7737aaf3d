// What a check may look at: the same answers from the work tree and from a commit's tree, and nothing outside.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Repository } from "../../../src/git/repository.js";
import { spawnGit } from "../../../src/git/spawn.js";
import type { FileTree } from "../../../src/verify/facts.js";
import { commitTree } from "../../../src/verify/tree-commit.js";
import { workTree } from "../../../src/verify/tree-work.js";
import { commit, git, makeRepo, put } from "../../support/repo.js";

async function linked(): Promise<{ dir: string; trees: [string, FileTree][] }> {
  const dir = makeRepo("tree");
  put(dir, "src/deep/a.txt", "a\n");
  put(dir, "tool.sh", "#!/bin/sh\n");
  git(dir, "add", "-A");
  git(dir, "update-index", "--chmod=+x", "tool.sh");
  execFileSync("chmod", ["+x", join(dir, "tool.sh")]);
  const links: Record<string, string> = {
    "to-file": "src/deep/a.txt",
    "to-folder": "src",
    "src/up": "../tool.sh",
    chain: "to-folder/deep/a.txt",
    out: "../outside",
    absolute: "/etc/passwd",
    "out-and-back": "../tree/tool.sh",
    gone: "src/nothing",
    circle: "circle",
    "to-git": ".git/config",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(dir, name));
  const oid = commit(dir, {}, "links");
  const { safe } = await Repository.open(dir, process.env, spawnGit());
  return {
    dir,
    trees: [
      ["work tree", workTree(dir)],
      ["commit", commitTree(safe, oid)],
    ],
  };
}

describe("a tree", () => {
  it("follows links inside and never out", async () => {
    const { trees } = await linked();
    const expected: Record<string, [kind: string, resolved: string | null]> = {
      "": ["missing", null],
      ".": ["folder", ""],
      "./": ["folder", ""],
      src: ["folder", "src"],
      "src/": ["folder", "src"],
      "src/deep/a.txt": ["file", "src/deep/a.txt"],
      "./src//deep/./a.txt": ["file", "src/deep/a.txt"],
      "src/../tool.sh": ["file", "tool.sh"],
      "src/deep/a.txt/": ["missing", null],
      "src/deep/a.txt/x": ["missing", null],
      "to-file": ["file", "src/deep/a.txt"],
      "to-folder": ["folder", "src"],
      "to-folder/deep/a.txt": ["file", "src/deep/a.txt"],
      "src/up": ["file", "tool.sh"],
      "to-folder/up": ["file", "tool.sh"],
      chain: ["file", "src/deep/a.txt"],
      out: ["outside", null],
      "out/x": ["outside", null],
      absolute: ["outside", null],
      gone: ["missing", null],
      circle: ["missing", null],
      "to-git": ["outside", null],
      "../tree/tool.sh": ["outside", null],
      "/etc/passwd": ["outside", null],
      ".git": ["outside", null],
      ".GIT/HEAD": ["outside", null],
      ".git ./HEAD": ["outside", null],
      "git~1/HEAD": ["outside", null],
      ".g\u200cit/HEAD": ["outside", null],
      "a\0b": ["outside", null],
      missing: ["missing", null],
    };
    for (const [name, tree] of trees) {
      for (const [path, [kind, resolved]] of Object.entries(expected)) {
        const fact = await tree.stat(path);
        expect([name, path, fact.kind, fact.resolved]).toEqual([name, path, kind, resolved]);
        const bytes = await tree.read(path);
        expect([name, path, bytes !== null]).toEqual([name, path, kind === "file"]);
      }
      expect(await tree.stat("tool.sh")).toEqual({
        kind: "file",
        size: 10,
        executable: true,
        resolved: "tool.sh",
      });
      expect((await tree.stat("src/deep/a.txt")).executable).toBe(false);
      expect(Buffer.from((await tree.read("chain")) ?? []).toString()).toBe("a\n");
    }
  });

  it("walks regular files only, sorted and bounded", async () => {
    const { dir, trees } = await linked();
    execFileSync("mkfifo", [join(dir, "src/fifo")]);
    for (const [name, tree] of trees) {
      expect([name, await tree.walk(".", 100)]).toEqual([
        name,
        { files: ["README.md", "src/deep/a.txt", "src/parser.ts", "tool.sh"], complete: true },
      ]);
      expect([name, await tree.walk("to-folder", 100)]).toEqual([
        name,
        { files: ["src/deep/a.txt", "src/parser.ts"], complete: true },
      ]);
      expect(await tree.walk("tool.sh", 100)).toEqual({ files: ["tool.sh"], complete: true });
      expect(await tree.walk("missing", 100)).toEqual({ files: [], complete: true });
      const cut = await tree.walk(".", 2);
      expect([name, cut.files.length, cut.complete]).toEqual([name, 2, false]);
    }
  });

  it("opens neither a FIFO nor a device", async () => {
    const dir = makeRepo("special");
    execFileSync("mkfifo", [join(dir, "fifo")]);
    const tree = workTree(dir);
    expect((await tree.stat("fifo")).kind).toBe("special");
    expect(await tree.read("fifo")).toBeNull();
    expect(await tree.walk("fifo", 10)).toEqual({ files: [], complete: true });
  });

  it("keeps out of a git directory that lies in the work tree under another name", async () => {
    const dir = makeRepo("moved");
    renameSync(join(dir, ".git"), join(dir, "store"));
    writeFileSync(join(dir, ".git"), "gitdir: store\n");
    const tree = workTree(dir, [join(dir, "store")]);
    expect((await tree.stat("store/config")).kind).toBe("outside");
    expect((await tree.stat("store")).kind).toBe("outside");
    expect((await tree.walk(".", 100)).files).toEqual(["README.md", "src/parser.ts"]);
    const inner = join(dir, "store/inner");
    mkdirSync(inner);
    writeFileSync(join(inner, "x"), "x");
    expect((await workTree(inner, [join(dir, "store")]).stat("x")).kind).toBe("file");
  });

  it("knows a submodule for a folder it cannot look into", async () => {
    const inner = makeRepo("inner");
    const dir = makeRepo("outer");
    git(dir, "-c", "protocol.file.allow=always", "submodule", "-q", "add", inner, "sub");
    const oid = commit(dir, {}, "submodule");
    const { safe } = await Repository.open(dir, process.env, spawnGit());
    const tree = commitTree(safe, oid);
    expect((await tree.stat("sub")).kind).toBe("folder");
    expect((await tree.stat("sub/README.md")).kind).toBe("special");
    expect((await workTree(dir).stat("sub/README.md")).kind).toBe("file");
  });
});
