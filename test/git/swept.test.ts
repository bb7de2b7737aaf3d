// A gc beside us takes an empty folder of objects away just as git wants to put one there.
import { expect, it } from "vitest";
import type { RunGit } from "../../src/git/process.js";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { git, makeRepo } from "../support/repo.js";

/** git that fails to store objects as often as said. */
function failing(times: number, stderr: string): { run: RunGit; asked: () => number } {
  const real = execaGit();
  let asked = 0;
  return {
    asked: () => asked,
    run: async (args, options) => {
      if (!args.includes("unpack-objects")) return real(args, options);
      asked += 1;
      if (asked > times) return real(args, options);
      return { code: 128, stdout: Buffer.alloc(0), stderr, timedOut: false, overflowed: false };
    },
  };
}

const SWEPT =
  "fatal: unable to create temporary file: No such file or directory\nfatal: failed to write object\n";
const FULL = "error: unable to write file: No space left on device\nfatal: failed to write object\n";

async function storing(times: number, stderr: string) {
  const dir = makeRepo("swept");
  const { run, asked } = failing(times, stderr);
  const port = (await Repository.open(dir, process.env, run)).port();
  const stored = port.write([{ type: "blob", content: Buffer.from("noted\n") }]);
  const outcome = await stored.then(
    ([oid = ""]) => git(dir, "cat-file", "blob", oid),
    (error: Error) => error.message,
  );
  return { outcome, asked: asked() };
}

it("is tried again", async () => {
  expect(await storing(1, SWEPT)).toEqual({ outcome: "noted", asked: 2 });
});

it("is not tried for ever, and says what git said", async () => {
  const { outcome, asked } = await storing(100, SWEPT);
  expect(outcome).toContain("unable to create temporary file");
  expect(asked).toBe(3);
});

it("other failures are told at once", async () => {
  const { outcome, asked } = await storing(1, FULL);
  expect(outcome).toContain("failed to write object");
  expect(asked).toBe(1);
});
