import { describe, expect, it } from "vitest";
import { endingOf } from "../src/edge.js";
import { FatalError, NegativeError, UsageError } from "../src/errors.js";

const usage = "usage: git handoff\n";

/** As node:fs throws it. */
function systemError(message: string, syscall: string, path?: string): Error {
  return Object.assign(new Error(message), { code: message.split(":")[0], syscall, path });
}

describe("endingOf", () => {
  it.each([
    ["a fatal error", new FatalError("no such thing"), 128, "fatal: no such thing\n"],
    [
      "wrong usage",
      new UsageError("unknown option `x'"),
      129,
      "error: unknown option `x'\nusage: git handoff\n",
    ],
    ["a negative answer", new NegativeError("No open handoff for main."), 1, "No open handoff for main.\n"],
    ["a negative answer of several lines", new NegativeError("two:\n  a\n  b"), 1, "two:\n  a\n  b\n"],
    ["a negative answer without words", new NegativeError(""), 1, ""],
    [
      "what was not foreseen",
      new TypeError("x is not a function\nmore"),
      128,
      "fatal: x is not a function\n",
    ],
    ["what is no error", "text", 128, "fatal: text\n"],
    ["an error without words", new Error(""), 128, "fatal: unknown error\n"],
    [
      "what the system refused",
      systemError("EACCES: permission denied, mkdir '/x/it's'", "mkdir", "/x/it's"),
      128,
      "fatal: cannot mkdir '/x/it's': permission denied\n",
    ],
    [
      "what the system refused, nobody knows where",
      systemError("ENOSPC: no space left on device, write", "write"),
      128,
      "fatal: cannot write: no space left on device\n",
    ],
    ["a reader that has gone", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }), 141, ""],
  ])("%s", (_, error, code, message) => {
    expect(endingOf(error, usage, false)).toEqual({ code, message });
  });

  it("takes what could drive a terminal out of a message", () => {
    expect(endingOf(new FatalError("bad \u001b[31mname\u001b[0m\u0007"), usage, false).message).toBe(
      "fatal: bad name\n",
    );
    expect(endingOf(new NegativeError("a\n\u001b]0;x\u0007b"), usage, false).message).toBe("a\nb\n");
  });

  it("shows where an error comes from only when asked", () => {
    expect(endingOf(new FatalError("x"), usage, false).message).not.toContain("at ");
    expect(endingOf(new FatalError("x"), usage, true).message).toMatch(
      /FatalError: x\n\s+at .*\nfatal: x\n$/s,
    );
  });
});
