// The extension for pi, called as pi documents it.
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import handoffExtension from "../../hooks/pi.js";
import { handoff, makeRepo, program, tempDir } from "../support/repo.js";
import { putHook } from "./support.js";

type Handler = (event: { reason?: string }, context: { cwd: string }) => Promise<unknown> | undefined;

function loaded(): { start(cwd: string, reason?: string): void; prompt(cwd: string): Promise<unknown> } {
  const handlers = new Map<string, Handler>();
  handoffExtension({ on: (event, handler) => handlers.set(event, handler) });
  expect([...handlers.keys()].sort()).toEqual(["before_agent_start", "session_start"]);
  return {
    start: (cwd, reason) => handlers.get("session_start")?.(reason === undefined ? {} : { reason }, { cwd }),
    prompt: async (cwd) => handlers.get("before_agent_start")?.({}, { cwd }),
  };
}

describe("pi extension", () => {
  const path = process.env.PATH;
  beforeEach(() => {
    const bin = tempDir("bin");
    putHook(bin, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, 0o755, "git-handoff");
    process.env.PATH = `${bin}:${path}`;
  });
  afterEach(() => {
    process.env.PATH = path;
  });

  it("gives the block to the first prompt of a session, and to no other", async () => {
    const dir = makeRepo();
    handoff(dir, ["write", "-m", "carry comments through the printer"]);
    const pi = loaded();
    pi.start(dir, "startup");
    expect(await pi.prompt(dir)).toMatchObject({
      message: {
        customType: "git-handoff",
        content: expect.stringContaining("carry comments"),
        display: true,
      },
    });
    expect(await pi.prompt(dir)).toBeUndefined();
    pi.start(dir, "reload");
    expect(await pi.prompt(dir)).toBeUndefined();
    pi.start(dir, "resume");
    expect(await pi.prompt(dir)).toMatchObject({ message: { customType: "git-handoff" } });
  });

  it("gives nothing where nothing is open or the program is missing", async () => {
    const dir = makeRepo();
    const pi = loaded();
    pi.start(dir);
    expect(await pi.prompt(dir)).toBeUndefined();
    process.env.PATH = join(tempDir("empty"));
    pi.start(dir);
    expect(await pi.prompt(dir)).toBeUndefined();
  });
});
