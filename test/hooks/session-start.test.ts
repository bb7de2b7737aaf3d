import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentText } from "../support/documents.js";
import { writeLog } from "../support/logs.js";
import { git, handoff, makeRepo, program, root, tempDir } from "../support/repo.js";

const open = (intent = "Finish the parser") => ({ folder: "open" as const, text: documentText({ intent }) });
const unread = {
  folder: "inbox" as const,
  text: documentText(
    { delivery: "pushed", breaking: true, intent: "Unread" },
    "## Impact here\n\nAll of it.\n",
  ),
};

function parked(): string {
  const dir = makeRepo();
  writeLog(dir, "refs/handoff/main/ada-3f9a2c", [open()]);
  return dir;
}

const input = (cwd: string, parts: Record<string, unknown> = {}) =>
  JSON.stringify({
    hook_event_name: "SessionStart",
    source: "startup",
    session_id: tempDir("s"),
    cwd,
    ...parts,
  });

/** How the program is started: its first lines are a shell's, unless Node is named. */
const starters = [
  ["by its first lines", "sh"],
  ["by Node alone", process.execPath],
] as const;

describe.each(starters)("session-start %s", (_name, command) => {
  function start(cwd: string, text: string, env: Record<string, string | undefined> = {}) {
    const { status, stdout, stderr } = spawnSync(command, [program, "session-start"], {
      cwd,
      input: text,
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
    return { code: status, stdout, stderr };
  }

  it("says once, too, how to be done with what cannot be read", () => {
    const dir = makeRepo();
    writeLog(dir, "refs/handoff/main/ada-3f9a2c", [{ folder: "open", text: "---\nintent: [\n---\n" }]);
    const text = input(dir);
    expect(start(dir, text).stdout).toMatch(/git handoff close [0-9a-f]{7} puts it away/);
    expect(start(dir, text).stdout).toBe("");
  });

  it("gives the agent what read shows, for the folder that the agent names", () => {
    const dir = parked();
    const { code, stdout, stderr } = start(tempDir("elsewhere"), input(join(dir, "src")));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "SessionStart",
        additionalContext: handoff(dir, ["read"]).stdout,
      },
    });
  });

  it("is silent without a repository, without anything open, and when turned off", () => {
    const dir = parked();
    const empty = makeRepo();
    const nowhere = { code: 0, stdout: "", stderr: "" };
    expect(start(dir, input(tempDir("none")))).toEqual(nowhere);
    expect(start(dir, input("/no/such/folder"))).toEqual(nowhere);
    expect(start(dir, input(empty))).toEqual(nowhere);
    expect(start(dir, input(dir), { GIT_HANDOFF: "0" })).toEqual(nowhere);
    expect(start(dir, input(dir, { source: "compact" }))).toEqual(nowhere);
    git(dir, "config", "handoff.surface", "off");
    expect(start(dir, input(dir))).toEqual(nowhere);
  });

  it("is one line when the user wants it brief", () => {
    const dir = parked();
    git(dir, "config", "handoff.surface", "brief");
    expect(JSON.parse(start(dir, input(dir)).stdout).hookSpecificOutput.additionalContext).toMatch(
      /^Open handoff for main: Finish the parser.*: git handoff read\n$/,
    );
  });

  it("is about the folder named, not about a git that happens to be around", () => {
    const [here, other] = [parked(), makeRepo()];
    const env = { GIT_DIR: join(other, ".git"), GIT_WORK_TREE: other };
    expect(start(other, input(here), env).stdout).toContain("Finish the parser");
    expect(start(here, input(other), { GIT_DIR: join(here, ".git") }).stdout).toBe("");
  });

  it("shows the inbox of a detached HEAD, and no journal", () => {
    const dir = parked();
    writeLog(dir, "refs/handoff/HEAD/ada-3f9a2c", [unread]);
    git(dir, "switch", "-q", "--detach");
    const { stdout } = start(dir, input(dir));
    expect(stdout).toContain("!! BREAKING");
    expect(stdout).not.toContain("Finish the parser");
  });

  it("answers the same start once, every other start again, and unread items always", () => {
    const dir = parked();
    const state = tempDir("state");
    const call = (text: string): string => {
      // However slow the machine, the starts answered so far are of just now.
      const shown = join(state, "git-handoff/shown");
      if (existsSync(shown)) {
        for (const name of readdirSync(shown)) utimesSync(join(shown, name), new Date(), new Date());
      }
      return start(dir, text, { XDG_STATE_HOME: state }).stdout;
    };
    const same = input(dir);
    expect(call(same)).toContain("Finish the parser");
    expect(call(same)).toBe("");
    expect(call(same.replace("startup", "clear"))).toContain("Finish the parser");
    expect(call(input(dir))).toContain("Finish the parser");
    writeLog(dir, "refs/handoff/HEAD/ada-3f9a2c", [unread]);
    const again = call(same);
    expect(again).toContain("!! BREAKING");
    expect(again).not.toContain("Finish the parser");
  });

  it.each(["", "not JSON", "[]", '{"cwd":3}', '{"cwd":"/x\\u0000y"}', `{"cwd":${'"x'.repeat(10)}`])(
    "takes whatever comes on stdin (%j) and exits 0",
    (text) => {
      expect(start(parked(), text).code).toBe(0);
    },
  );

  it("does not wait for an agent that leaves its pipe open", async () => {
    const dir = parked();
    for (const text of [input(dir), ""]) {
      const child = spawn(command, [program, "session-start"], { cwd: dir });
      let out = "";
      child.stdout.on("data", (chunk) => {
        out += chunk;
      });
      child.stdin.write(text);
      const code = await new Promise((resolve) => child.on("close", resolve));
      child.stdin.destroy();
      expect(code).toBe(0);
      expect(out).toContain("Finish the parser");
    }
  }, 30_000);

  it("holds 200 unread items to what an agent takes, with both counts", () => {
    const dir = parked();
    const items = Array.from({ length: 200 }, (_, i) => ({
      folder: "inbox" as const,
      text: documentText(
        { delivery: "pushed", breaking: i % 100 === 0, intent: `item ${i}` },
        "## Impact here\n\nx\n",
      ),
    }));
    writeLog(dir, "refs/handoff/HEAD/ada-3f9a2c", items);
    const text = JSON.parse(start(dir, input(dir)).stdout).hookSpecificOutput.additionalContext;
    expect(text.length).toBeLessThanOrEqual(8000);
    expect(text).toMatch(/^Unread handoffs in this repo's inbox: 200 {2}\(2 BREAKING\)\n/);
    expect(text.match(/!! BREAKING/g)).toHaveLength(2);
    expect(text).toContain("Open handoff detected for main");
    expect(text).toMatch(/\.\.\. \(\d+ more unread handoffs cut to fit; all of them: git handoff inbox\)/);
  });
});

describe("the program's first lines", () => {
  it("pass everything else on as it is, also through links", () => {
    const dir = parked();
    const bin = tempDir("bin");
    symlinkSync(program, join(bin, "one"));
    symlinkSync("one", join(bin, "git-handoff"));
    const run = (...args: string[]) =>
      spawnSync("sh", [join(bin, "git-handoff"), ...args], { cwd: dir, encoding: "utf8" });
    expect(run("read").stdout).toBe(handoff(dir, ["read"]).stdout);
    expect(run("show", "0000000")).toMatchObject({ status: 1, stdout: "" });
    expect(run("no-such-command").status).toBe(handoff(dir, ["no-such-command"]).code);
    const { stdout } = spawnSync("sh", [join(bin, "git-handoff"), "session-start"], {
      input: input(dir),
      encoding: "utf8",
    });
    expect(stdout).toContain("Finish the parser");
  });
});

describe("the code cache", () => {
  /** The package as installed, with a cache folder of its own. */
  function installed() {
    const home = join(tempDir("package"), "p");
    mkdirSync(home);
    for (const part of ["dist", "hooks", "package.json"])
      cpSync(join(root, part), join(home, part), { recursive: true });
    const cache = tempDir("cache");
    const run = (dir: string) =>
      spawnSync(process.execPath, [join(home, "dist/git-handoff.js"), "session-start"], {
        input: input(dir),
        encoding: "utf8",
        env: { ...process.env, XDG_CACHE_HOME: cache },
      });
    return { home, cache: join(cache, "git-handoff"), run };
  }

  it("is made once for this user alone, and gives the same answers", () => {
    const dir = parked();
    const { cache, run } = installed();
    const first = run(dir);
    expect(first.stdout).toContain("Finish the parser");
    const [file = ""] = readdirSync(cache);
    const before = readFileSync(join(cache, file));
    expect(run(dir).stdout).toBe(first.stdout);
    expect(readdirSync(cache)).toEqual([file]);
    expect(readFileSync(join(cache, file)).equals(before)).toBe(true);
  });

  it("is not taken when it is damaged, and made anew", () => {
    const dir = parked();
    const { cache, run } = installed();
    run(dir);
    const [file = ""] = readdirSync(cache);
    const whole = readFileSync(join(cache, file));
    for (const damaged of [
      whole.subarray(0, 5000),
      Buffer.alloc(0),
      Buffer.from(whole).fill(7, 2000, 9000),
    ]) {
      writeFileSync(join(cache, file), damaged);
      const { status, stdout, stderr } = run(dir);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toContain("Finish the parser");
      expect(readFileSync(join(cache, file)).equals(damaged)).toBe(false);
      expect(readFileSync(join(cache, file)).length).toBeGreaterThan(100_000);
    }
  });

  it("is done without where it cannot be kept", () => {
    const dir = parked();
    const { cache, run } = installed();
    rmSync(cache, { recursive: true, force: true });
    writeFileSync(cache, "a file where the folder would be");
    expect(run(dir).stdout).toContain("Finish the parser");
    chmodSync(cache, 0o400);
    expect(run(dir).status).toBe(0);
  });
});
