import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  type Commit,
  encodeCommit,
  encodeTree,
  hashObject,
  parseCommit,
  parseTree,
  type TreeEntry,
} from "../../src/git/object.js";
import type { ObjectFormat } from "../../src/git/port.js";
import { git, makeRepo } from "../support/repo.js";

function gitHash(dir: string, type: string, content: Uint8Array): string {
  return execFileSync("git", ["hash-object", "-t", type, "--stdin", "-w"], { cwd: dir, input: content })
    .toString()
    .trim();
}

describe.each<ObjectFormat>(["sha1", "sha256"])("objects in %s", (format) => {
  const dir = makeRepo("objects", [`--object-format=${format}`]);
  const blob = (text: string) => gitHash(dir, "blob", Buffer.from(text));

  it("gives git's ids and git's tree order", () => {
    const names = ["a", "a.b", "a-b", "ab", "a0", "é", "日本", "\u{1F600}", "\uFFFD", "Z"];
    const inner = encodeTree([{ mode: "100644", name: "f", oid: blob("f") }]);
    const folder = gitHash(dir, "tree", inner);
    const entries: TreeEntry[] = names.map((name, index) =>
      name === "a"
        ? { mode: "40000", name, oid: folder }
        : { mode: index % 2 ? "100644" : "100755", name, oid: blob(name) },
    );
    const content = encodeTree(entries);
    const listing = entries.map(
      ({ mode, name, oid }) =>
        `${mode.padStart(6, "0")} ${mode === "40000" ? "tree" : "blob"} ${oid}\t${name}\0`,
    );
    const made = execFileSync("git", ["mktree", "-z"], { cwd: dir, input: listing.join("") });
    expect(hashObject("tree", content, format)).toBe(made.toString().trim());
    const parsed = parseTree(content, format);
    expect(parsed.map((entry) => entry.name).sort()).toEqual([...names].sort());
    expect(encodeTree(parsed)).toEqual(content);
    expect(hashObject("blob", new Uint8Array(), format)).toBe(blob(""));
  });

  it("keeps a name that is no UTF-8", () => {
    const bytes = Buffer.concat([
      Buffer.from("100644 "),
      Buffer.from([0xff, 0xfe]),
      Buffer.from([0]),
      Buffer.from(blob("x"), "hex"),
    ]);
    expect(encodeTree(parseTree(bytes, format))).toEqual(bytes);
  });

  it("refuses names no tree may hold, and doubles", () => {
    const entry = (name: string) => ({ mode: "100644", name, oid: blob("x") });
    for (const name of ["", ".", "..", ".git", ".GIT", "a/b", "a\0b"]) {
      expect(() => encodeTree([entry(name)]), name).toThrow(TypeError);
    }
    expect(() => encodeTree([entry("a"), { ...entry("a"), mode: "40000" }])).toThrow(TypeError);
    for (const bytes of ["x", "100644 a", "100644 a\0short", "100644 \0", "abc a\0"]) {
      expect(() => parseTree(Buffer.from(bytes), format), bytes).toThrow(TypeError);
    }
  });

  it("writes the commit git writes, with its own dates", () => {
    const tree = git(dir, "rev-parse", "HEAD^{tree}");
    const parent = git(dir, "rev-parse", "HEAD");
    const signature = { name: "Zoë Ångström", email: "zoe@example.com", time: 1_780_000_000, offset: -210 };
    const commit: Commit = {
      tree,
      parents: [parent],
      author: signature,
      committer: { ...signature, offset: 330 },
      message: "write: 日本\n\nHandoff-Event: write\n",
    };
    const content = encodeCommit(commit);
    const made = execFileSync("git", ["commit-tree", tree, "-p", parent, "-F", "-"], {
      cwd: dir,
      input: commit.message,
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: signature.name,
        GIT_AUTHOR_EMAIL: signature.email,
        GIT_AUTHOR_DATE: "1780000000 -0330",
        GIT_COMMITTER_NAME: signature.name,
        GIT_COMMITTER_EMAIL: signature.email,
        GIT_COMMITTER_DATE: "1780000000 +0530",
      },
    });
    expect(hashObject("commit", content, format)).toBe(made.toString().trim());
    expect(parseCommit(content)).toEqual(commit);
  });
});

it("cannot be led to forge a header", () => {
  const oid = "1".repeat(40);
  const hostile = { name: "A <x>\nparent 0", email: "a@b>\ncommitter x", time: 1, offset: 0 };
  const content = encodeCommit({ tree: oid, parents: [], author: hostile, committer: hostile, message: "m" });
  expect(Buffer.from(content).toString()).toBe(
    `tree ${oid}\nauthor A xparent 0 <a@bcommitter x> 1 +0000\ncommitter A xparent 0 <a@bcommitter x> 1 +0000\n\nm\n`,
  );
  const signature = { name: "", email: "", time: 0, offset: 0 };
  expect(() =>
    encodeCommit({ tree: oid, parents: [], author: signature, committer: signature, message: "a\0" }),
  ).toThrow(TypeError);
  expect(() => parseCommit(Buffer.from("nothing"))).toThrow(TypeError);
});
