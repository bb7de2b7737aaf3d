// The worked example of the library, on both engines: the same program, the same ids.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import git from "isomorphic-git";
import { memfs } from "memfs";
import { describe, expect, it } from "vitest";
import { FatalError, NegativeError, type OpenOptions, openHandoffs, UsageError } from "../../src/index.js";
import { makeRepo, tempDir } from "../support/repo.js";

const identity = { name: "Ada Lovelace", email: "ada@example.com" };
const now = () => new Date("2026-05-01T10:00:00Z");

/** A repository that is only in memory, with one commit on `main`. */
async function inMemory(): Promise<OpenOptions> {
  const { fs } = memfs({ "/app/src/parser.ts": "export final class Parser {}\n" });
  const at = { fs, dir: "/app" };
  await git.init({ ...at, defaultBranch: "main" });
  await git.add({ ...at, filepath: "src/parser.ts" });
  await git.commit({ ...at, message: "first", author: { ...identity, timestamp: 1_770_000_000 } });
  return { engine: "isomorphic-git", ...at, identity, now };
}

describe.each<[string, () => Promise<OpenOptions>]>([
  ["git", async () => ({ dir: makeRepo("library"), now })],
  [
    "isomorphic-git on disk",
    async () => ({ engine: "isomorphic-git", dir: makeRepo("library"), identity, now }),
  ],
  ["isomorphic-git in memory", inMemory],
])("on %s", (name, place) => {
  it("writes, reads, appends and closes", async () => {
    const handoffs = await openHandoffs(await place());
    expect((await handoffs.read()).handoffs).toEqual([]);

    const first = await handoffs.write({
      intent: "Split the parser",
      state: "The lexer is half out.",
      next: ["Move the lexer out", "Then the printer"],
      pointers: ["src/parser.ts"],
      rejections: [
        {
          kind: "structural",
          claim: "Subclass Parser",
          anchor: "src/parser.ts:1",
          predicate: "grep -q 'final class' src/parser.ts",
        },
      ],
      artifacts: [
        { claim: "The parser is there", evidence: "src/parser.ts:1" },
        { claim: "Tests are green", evidence: "" },
        { claim: "The printer is there", evidence: "src/printer.ts" },
      ],
    });
    expect(first.id).toMatch(/^20260501T100000Z-split-parser-[0-9a-f]{7}$/);
    expect(first.ref).toMatch(/^refs\/handoff\/main\/ada-lovelace-[0-9a-f]{6}$/);

    const { branch, handoffs: open, warnings } = await handoffs.read();
    expect({ branch, warnings }).toEqual({ branch: "main", warnings: [] });
    expect(open).toMatchObject([
      {
        handle: first.handle,
        intent: "Split the parser",
        sections: { next: ["Move the lexer out", "Then the printer"], pointers: ["src/parser.ts"] },
        artifacts: [{ evidence: "src/parser.ts:1" }],
      },
    ]);
    expect(open[0]?.unresolved.filter(({ kind }) => kind === "gap")).toHaveLength(2);
    const [rejection] = open[0]?.rejections ?? [];
    if (name === "git") expect(rejection).toMatchObject({ verdict: "holds", gating: true });
    else expect(rejection).toMatchObject({ verdict: "cannot-evaluate", gating: false });

    await expect(handoffs.write({ intent: "Again" })).rejects.toThrow(NegativeError);
    const second = await handoffs.write({ intent: "Move the printer" }, { mode: "append" });
    expect(second.superseded).toEqual([first.id]);
    expect((await handoffs.list()).map(({ handle, state }) => [handle, state])).toEqual([
      [second.handle, "open"],
    ]);
    expect(await handoffs.list({ closed: true })).toHaveLength(2);

    expect((await handoffs.close([], { reason: "merged" })).changed).toMatchObject([
      { handle: second.handle, state: "closed" },
    ]);
    expect((await handoffs.close([second.handle])).already).toHaveLength(1);
    await expect(handoffs.close()).rejects.toThrow("No open handoff for main.");
    expect((await handoffs.list()).warnings).toEqual([]);
  });

  it("leaves and acknowledges inbox handoffs", async () => {
    const handoffs = await openHandoffs(await place());
    const content = { intent: "Amounts are in cents", impact: "Rename amount.", breaking: true };
    const { handle, ref } = await handoffs.write(content, { inbox: true });
    expect(ref).toMatch(/^refs\/handoff\/HEAD\//);
    expect((await handoffs.read()).inbox).toMatchObject([
      { handle, breaking: true, impact: "Rename amount." },
    ]);
    await expect(handoffs.close([handle])).rejects.toThrow(NegativeError);
    expect((await handoffs.ack([handle], { decline: true })).changed).toMatchObject([{ state: "acked" }]);
    expect((await handoffs.read()).inbox).toEqual([]);
  });

  it("notes lessons, or says that it does not", async () => {
    const options = await place();
    const handoffs = await openHandoffs(options);
    const told = await handoffs.write({ intent: "Split the parser", lessons: ["Read the grammar first"] });
    if (name === "git") {
      expect(told).toMatchObject({
        lessons: join(options.dir, ".git/handoff/lessons.md"),
        warnings: [expect.stringContaining("State"), expect.anything(), expect.anything()],
      });
      expect(readFileSync(told.lessons ?? "", "utf8")).toContain(
        "- 2026-05-01 main: Read the grammar first\n",
      );
    } else {
      expect(told.lessons).toBeNull();
      expect(told.warnings).toContain("1 lesson not noted: the engine without git keeps no lessons file");
    }
    expect((await handoffs.write({ intent: "Go on" }, { mode: "append" })).lessons).toBeNull();
  });

  it("tells what is wrong with content", async () => {
    const handoffs = await openHandoffs(await place());
    await expect(handoffs.write({ intent: " " })).rejects.toThrow(UsageError);
    // A caller without types.
    await expect(handoffs.write({ intent: "x", next: [1] as unknown as string[] })).rejects.toThrow(
      UsageError,
    );
    await expect(handoffs.write({ intent: "x" }, { inbox: true })).rejects.toThrow(UsageError);
    await expect(handoffs.write({ intent: "x" }, { branch: "HEAD" })).rejects.toThrow(FatalError);
    expect(await handoffs.list({ all: true, closed: true })).toHaveLength(0);
  });
});

it("writes what the program reads, and reads what it writes", async () => {
  const dir = makeRepo("both");
  const withGit = await openHandoffs({ dir, now });
  const without = await openHandoffs({ dir, engine: "isomorphic-git", identity, now });
  const { handle } = await without.write({ intent: "From the library" });
  expect((await withGit.read()).handoffs).toMatchObject([{ handle }]);
  execFileSync("git", ["fsck", "--strict", "--no-dangling"], { cwd: dir });
  await withGit.close([handle]);
  expect(await without.list()).toHaveLength(0);
  expect([...(await without.list({ closed: true }))]).toMatchObject([{ handle, state: "closed" }]);
});

it.each(["git", "isomorphic-git"] as const)("%s refuses a folder that is no repository", async (engine) => {
  await expect(openHandoffs({ dir: tempDir(), engine })).rejects.toThrow(/not a git repository/i);
});
