// --json is for programs, but people look at it too, on a terminal that obeys what it is sent.
import { expect, it } from "vitest";
import { handoff, makeRepo } from "../support/repo.js";

it("sends nothing that controls or hides, and loses nothing", () => {
  const intent = "go\u001b[31m on\u009b2J \u202eback\u2066 \u2028 \u007f ünï 日本語 👩‍💻 \u{e0041}";
  const dir = makeRepo();
  expect(handoff(dir, ["write", "--from", "-"], { input: JSON.stringify({ intent }) }).code).toBe(0);
  for (const command of ["read", "show", "check", "list"]) {
    const { stdout } = handoff(dir, [command, "--json"]);
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}|[\p{Cf}\p{Zl}\p{Zp}]/u);
    const { handoffs } = JSON.parse(stdout) as { handoffs: { intent: string }[] };
    expect(handoffs).toMatchObject([{ intent }]);
  }
});
