// What the documents tell a reader to type is what the program takes.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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

/** Calls of other programs than git, in blocks and inline, without comments. */
function others(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/```sh\n(.*?)```|((?:^ {4}\S.*\n)+)/gms)].flatMap(
    ([, fenced, indented]) => (fenced ?? indented ?? "").split("\n"),
  );
  const inline = [...markdown.replace(/```.*?```/gs, "").matchAll(/`([^`]+)`/g)].map(
    ([, code]) => code ?? "",
  );
  const lines = [...blocks, ...inline].map((line) =>
    line
      .replace(/\s#.*$/, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
  return [...new Set(lines.filter((line) => /^(?:npm|npx|node) \w|^\.ci\/\w/.test(line)))];
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

describe.each(["README.md", "CONTRIBUTING.md"])("what else %s has run", (name) => {
  const { name: own, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    name: string;
    scripts: Record<string, string>;
  };
  it.each(others(readFileSync(join(root, name), "utf8")))("%s", (call) => {
    const [program, ...rest] = call.split(/\s+/);
    if (program === "npm") {
      const [verb = "", script = ""] = rest;
      if (verb === "run") expect(Object.keys(scripts)).toContain(script);
      else if (verb === "test") expect(scripts.test).toBeDefined();
      else expect([verb, rest.at(-1)]).toEqual([expect.stringMatching(/^(?:un)?install$/), own]);
    }
    // Paths are of this repository; vitest takes the beginning of one.
    for (const path of [program ?? "", ...rest].filter((word) => /^(?:test|src|\.ci)\/|\.mjs$/.test(word)))
      expect(readdirSync(join(root, dirname(path))).some((entry) => entry.startsWith(basename(path)))).toBe(
        true,
      );
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
