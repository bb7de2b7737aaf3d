import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/commands/spec.js";
import { parseCall } from "../../../src/commands/usage/parse.js";
import { UsageError } from "../../../src/errors.js";

function call(...argv: string[]) {
  const { command, args, help } = parseCall(argv);
  return { name: command.name, args, help };
}

describe("parseCall", () => {
  it.each<[string[], string, object]>([
    [[], "read", {}],
    [["main"], "read", { target: "main" }],
    [["--json", "main"], "read", { json: true, target: "main" }],
    [["resume"], "read", {}],
    [["resume", "0012345"], "read", { target: "0012345" }],
    [["1e10000"], "read", { target: "1e10000" }],
    [["read", "list"], "read", { target: "list" }],
    [["--", "list"], "read", { target: "list" }],
    [["--json", "list"], "list", { json: true }],
    [["list", "-a"], "list", { all: true }],
    [["ack", "a", "b", "-m", "-x"], "ack", { id: ["a", "b"], reason: "-x" }],
    [["ack", "--", "-a"], "ack", { id: ["-a"] }],
    [["close"], "close", { id: [] }],
    [["mv", "--", "-old", "--new"], "mv", { old: "-old", new: "--new" }],
    [["write", "-m", "a", "-m", "b"], "write", { intent: "b" }],
    [["write", "--next", "a", "--next", "b"], "write", { next: ["a", "b"] }],
    [["write", "--next", "a"], "write", { next: ["a"] }],
    [["write", "--breaking"], "write", { breaking: true }],
    [["write", "--no-breaking"], "write", { breaking: false }],
    [["write", "--breaking", "--no-breaking"], "write", { breaking: false }],
    [["write", "--no-redact"], "write", { redact: false }],
    [["write"], "write", {}],
    [["prune", "--older-than", "30"], "prune", { "older-than": 30 }],
    [["lesson", "ask", "first"], "lesson", { text: ["ask", "first"] }],
    [["write", "--goal", '"quoted"'], "write", { goal: '"quoted"' }],
    [["write", "--goal", "true", "--state", "007"], "write", { goal: "true", state: "007" }],
  ])("%j", (argv, name, args) => {
    expect(call(...argv)).toEqual({ name, args, help: null });
  });

  it.each([
    [["ack"], "ack needs <id>"],
    [["mv", "a"], "mv needs <new>"],
    [["mv", "a", "b", "c"], "unexpected argument `c'"],
    [["show", "a", "b"], "unexpected argument `b'"],
    [["pussh", "origin"], "`pussh' is not a git handoff command"],
    [["--zzz"], "unknown option `zzz'"],
  ])("refuses %j", (argv, message) => {
    expect(() => parseCall(argv)).toThrow(new UsageError(message));
  });

  it("hands over any text as it was given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(fc.string()), (text, steps) => {
        const argv = ["write", "--state", text, ...steps.flatMap((step) => ["--next", step])];
        const expected = steps.length > 0 ? { state: text, next: steps } : { state: text };
        expect(call(...argv).args).toEqual(expected);
      }),
    );
  });

  it("never throws anything but a usage error", () => {
    const words = fc.oneof(
      fc.constantFrom(
        ...COMMANDS.map(({ name }) => name),
        "-",
        "--",
        "-m",
        "--json",
        "-h",
        "--no-json",
        "-n",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 6 }), (argv) => {
        try {
          parseCall(argv);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});
