import { describe, expect, it } from "vitest";
import { findCommand } from "../../../src/commands/spec.js";
import { sortWords } from "../../../src/commands/usage/words.js";
import { UsageError } from "../../../src/errors.js";

function sort(name: string, ...argv: string[]) {
  const command = findCommand(name);
  if (!command) throw new Error(name);
  return sortWords(argv, command);
}

describe("sortWords", () => {
  it.each<[string, string[], string[], string[]]>([
    ["a long option with its value beside it", ["--intent", "x"], ["--intent", "x"], []],
    ["a long option with its value stuck to it", ["--intent=x=y"], ["--intent", "x=y"], []],
    ["an empty value", ["--goal="], ["--goal", ""], []],
    [
      "a value that begins with a dash",
      ["-m", "-x", "--goal", "--json"],
      ["--intent", "-x", "--goal", "--json"],
      [],
    ],
    ["a value that is the end-of-options mark", ["-m", "--", "a"], ["--intent", "--"], ["a"]],
    ["a short option with its value stuck to it", ["-mfix it"], ["--intent", "fix it"], []],
    ["a cluster of switches", ["-en"], ["--edit", "--dry-run"], []],
    ["a cluster that ends in an option with a value", ["-nmfoo"], ["--dry-run", "--intent", "foo"], []],
    ["a cluster whose value is the next word", ["-nm", "foo"], ["--dry-run", "--intent", "foo"], []],
    ["repeated options in order", ["--next", "a", "--next=-b"], ["--next", "a", "--next", "-b"], []],
    ["a unique abbreviation", ["--dry", "--int=x"], ["--dry-run", "--intent", "x"], []],
    ["a switch taken back", ["--no-redact", "--no-json"], ["--no-redact", "--no-json"], []],
    ["operands after --", ["--", "-x", "--json", "--"], [], ["-x", "--json", "--"]],
    ["a single dash", ["--from", "-", "-"], ["--from", "-"], ["-"]],
    ["a multi-line value", ["-m", "a\nb"], ["--intent", "a\nb"], []],
    ["an operand that looks like a number", ["0012345", "1e10000"], [], ["0012345", "1e10000"]],
  ])("takes %s", (_, argv, options, positionals) => {
    expect(sort("write", ...argv)).toEqual({ options, positionals, help: null });
  });

  it("takes several names after --agent, by their other names too", () => {
    const two = ["--agent", "claude-code", "--agent", "copilot"];
    expect(sort("install", "--agent", "claude", "copilot-cli", "--print").options).toEqual([
      ...two,
      "--print",
    ]);
    expect(() => sort("install", "--agent", "clippy")).toThrow("option `agent' must be one of claude-code");
    expect(sort("install", "--agent", "codex", "clippy").positionals).toEqual(["clippy"]);
  });

  it.each([
    [["--zzz"], "unknown option `zzz'"],
    [["--zzz=1"], "unknown option `zzz'"],
    [["-z"], "unknown switch `z'"],
    [["-nz"], "unknown switch `z'"],
    [["--intent"], "option `intent' requires a value"],
    [["-m"], "switch `m' requires a value"],
    [["--json=yes"], "option `json' takes no value"],
    [["--no-intent"], "unknown option `no-intent'"],
    [["--__proto__"], "unknown option `__proto__'"],
    [["--constructor=x"], "unknown option `constructor'"],
    [["--=x"], "unknown option `'"],
    [["--in", "x"], "ambiguous option: in (could be --intent or --inbox)"],
  ])("refuses %j", (argv, message) => {
    expect(() => sort("write", ...argv)).toThrow(new UsageError(message));
  });

  it("checks choices and numbers", () => {
    expect(() => sort("export", "--format", "xml")).toThrow(
      "option `format' must be one of park, evidence, inbox",
    );
    expect(() => sort("prune", "--older-than=abc")).toThrow("option `older-than' expects a number");
    expect(() => sort("prune", "--older-than", "-1")).toThrow("option `older-than' expects a number");
    expect(sort("prune", "--older-than", "0.5").options).toEqual(["--older-than", "0.5"]);
  });

  it("sees a call for help among other words, but not behind --", () => {
    expect(sort("write", "-m", "-h").help).toBe(null);
    expect(sort("write", "--json", "-h").help).toBe("usage");
    expect(sort("write", "--help").help).toBe("help");
    expect(sort("lesson", "--", "-h")).toMatchObject({ help: null, positionals: ["-h"] });
  });
});
