// What the documents tell a reader to type is what the program takes.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCommand } from "../../src/commands/spec.js";
import { parseCall } from "../../src/commands/usage/parse.js";
import { EXAMPLES } from "../../src/commands/usage/reference.js";
import { root } from "../support/repo.js";

/** Calls in `sh` blocks and in inline code, each as typed. */
function calls(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/```(?:sh|console|bash)\n(.*?)```/gs)].flatMap(
    ([, block]) => block?.split("\n") ?? [],
  );
  const inline = [...markdown.replace(/```.*?```/gs, "").matchAll(/`([^`]+)`/g)].map(
    ([, code]) => code ?? "",
  );
  return [...blocks, ...inline].flatMap((line) =>
    [...line.matchAll(/(?:^|[\s$;(|])git handoff\b((?:"[^"]*"|'[^']*'|<[^<>]*>|[^#;|)\n])*)/g)].map(
      ([, words]) => (words ?? "").trim(),
    ),
  );
}

/** The words a shell makes of it; `<placeholders>` stand for one word. */
function words(call: string): string[] {
  const plain = call
    .replace(/<[^<>]*>(\.\.\.|…)?/g, "0000000")
    .replace(/[[\]]|…/g, "")
    .replace(/ <\S+$/, "");
  const output = execFileSync("sh", ["-c", `set -f; printf '%s\\0' ${plain}`], { encoding: "utf8" });
  return output
    .split("\0")
    .slice(0, -1)
    .filter((word, index) => index > 0 || word !== "");
}

describe.each(["README.md", "CONTRIBUTING.md", "skills/handoff/SKILL.md"])("%s", (name) => {
  const found = [...new Set(calls(readFileSync(join(root, name), "utf8")))];
  it.runIf(found.length > 0).each(found)("git handoff %s", (call) => {
    const typed = words(call);
    // A command that is only spoken of comes without its operands.
    if (typed.length === 1) expect(findCommand(typed[0] ?? "")).toBeDefined();
    else expect(() => parseCall(typed)).not.toThrow();
  });
});

describe("the man page's examples", () => {
  it.each(EXAMPLES.map(({ term }) => term))("%s", (term) => {
    expect(() => parseCall(words(term.replace(/^git handoff ?/, "").replace(/ [<>]\S+$/, "")))).not.toThrow();
  });
});

it("finds the calls in a document", () => {
  expect(
    calls(
      '```sh\ngit handoff write -m "a; b" # why\nx; git handoff list --all; git handoff log\n```\n`git handoff ack <id>`',
    ),
  ).toEqual(['write -m "a; b"', "list --all", "log", "ack <id>"]);
  expect(words('write -m "a; b" --from - <handle>')).toEqual([
    "write",
    "-m",
    "a; b",
    "--from",
    "-",
    "0000000",
  ]);
});
