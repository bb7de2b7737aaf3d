// Secrets and personal data do not get into a document's text, name or commit, a lesson, a draft or a kept text.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { hasTerminal, KEY, Terminal } from "../support/pty.js";
import { commit, git, handoff, makeRepo, program, tempDir } from "../support/repo.js";
import { stored, writeJson } from "./store.js";

/** Never a real one; put together here, so that no scanner takes this file for a leak. */
const TOKEN = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");

let repo: string;
let state: string;
beforeEach(() => {
  repo = makeRepo("secrets");
  state = tempDir("state");
});

/** Every file below a folder, as one text. */
function everything(dir: string): string {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

describe("a token", () => {
  it("is in no field, no id, no subject, and named only by place and rule", () => {
    const input = JSON.stringify({
      intent: `Use ${TOKEN} now`,
      state: `It was ${TOKEN}.`,
      rejections: [{ kind: "untyped", claim: `not ${TOKEN}`, predicate: "p" }],
      custom: { deep: [TOKEN] },
    });
    const written = writeJson(repo, ["--from", "-"], { input });
    const log = git(repo, "log", "-p", "--format=%B", written.ref);
    expect(JSON.stringify(written) + log).not.toContain(TOKEN);
    expect(JSON.stringify(written) + log).not.toContain(TOKEN.toLowerCase());
    expect(stored(repo, written).meta.intent).toMatch(/^Use \[REDACTED:[^\]]+\] now$/);
    const found = written.warnings.filter(
      (warning) => warning.startsWith("redacted") && /intent|custom/.test(warning),
    );
    expect(found).toHaveLength(2);
  });

  it("stays with --no-redact", () => {
    const written = writeJson(repo, ["-m", `Use ${TOKEN}`, "--no-redact"]);
    expect(stored(repo, written).meta.intent).toBe(`Use ${TOKEN}`);
  });

  it("is in no lesson", () => {
    const { stdout, stderr } = handoff(repo, ["lesson", `never paste ${TOKEN}`]);
    handoff(repo, ["write", "--from", "-"], { input: `intent: x\nlessons: ["nor ${TOKEN}"]\n` });
    const file = readFileSync(join(repo, ".git/handoff/lessons.md"), "utf8");
    expect(file.match(/\[REDACTED:/g)).toHaveLength(2);
    expect(file + stdout + stderr).not.toContain(TOKEN);
    expect(stderr).toContain("lesson");
  });

  it("is not left in the editor's file when the program is killed", async () => {
    const ready = join(tempDir(), "ready");
    const script = join(tempDir("bin"), "editor");
    writeFileSync(
      script,
      `#!/bin/sh\nprintf '%s\\n' '---' 'intent: Use ${TOKEN}' '---' >"$1"\necho $$ >'${ready}.new'; mv '${ready}.new' '${ready}'\nexec sleep 600\n`,
    );
    chmodSync(script, 0o755);
    const env = { ...process.env, GIT_EDITOR: script, XDG_STATE_HOME: state };
    const child = spawn(process.execPath, [program, "write", "--edit"], { cwd: repo, env, stdio: "ignore" });
    while (!existsSync(ready)) await new Promise((resolve) => setTimeout(resolve, 20));
    const left = join(state, "git-handoff");
    const [name = ""] = readdirSync(left).filter((entry) => entry.startsWith("edit-"));
    expect(statSync(left).mode & 0o777).toBe(0o700);
    expect(statSync(join(left, name)).mode & 0o777).toBe(0o700);
    expect(statSync(join(left, name, "HANDOFF_EDITMSG.md")).mode & 0o777).toBe(0o600);

    const write = (intent: string) =>
      handoff(repo, ["write", "-m", intent, "--overwrite", "--no-redact"], {
        env: { XDG_STATE_HOME: state },
      });
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("close", resolve));
    // Somebody still has it open.
    expect(write("Meanwhile").stderr).not.toContain("cut off");
    expect(readdirSync(left)).toContain(name);
    process.kill(Number(readFileSync(ready, "utf8")), "SIGKILL");
    await expect.poll(() => write("After").stderr, { timeout: 30_000 }).toContain("cut off in the editor");
    expect(readdirSync(left)).not.toContain(name);
    expect(everything(state)).not.toContain(TOKEN);
    const [kept = ""] = readdirSync(join(left, "edited"));
    expect(readFileSync(join(left, "edited", kept), "utf8")).toMatch(/^intent: Use \[REDACTED:/m);
    expect(write("Again").stderr).not.toContain("cut off");
  });

  it("is in no dry run and in no file of --output", () => {
    const file = join(tempDir(), "h.md");
    handoff(repo, ["write", "-m", `Use ${TOKEN}`, "--output", file]);
    expect(readFileSync(file, "utf8")).toContain("[REDACTED:");
    expect(handoff(repo, ["write", "-m", `Use ${TOKEN}`, "--dry-run"]).stdout).toContain("[REDACTED:");
  });

  it("is not in the text that is kept of a broken document", () => {
    const editor = join(tempDir(), "editor");
    writeFileSync(editor, `#!/bin/sh\nprintf 'intent: 5\\ngoal: ${TOKEN}\\n' >"$1"\n`);
    chmodSync(editor, 0o755);
    const env = { GIT_EDITOR: editor, XDG_STATE_HOME: state };
    const { code, stderr } = handoff(repo, ["write", "--edit"], { env });
    expect(code).toBe(128);
    expect(everything(state)).toContain("goal: [REDACTED:");
    expect(everything(state) + stderr).not.toContain(TOKEN);
  });

  it.skipIf(!hasTerminal)("is in no draft, also while it is being answered", async () => {
    const t = new Terminal(repo, ["write"], { env: { XDG_STATE_HOME: state } });
    try {
      await t.answer("Immediate next intent", `Use ${TOKEN}`);
      await t.answer("Active goal?");
      await t.answer("Was something tried or ruled out?", `not ${TOKEN}`);
      await t.shows("Is there a specific artifact");
      t.type(KEY.interrupt);
      expect(await t.code()).toBe(130);
    } finally {
      t.kill();
    }
    expect(everything(state).match(/\[REDACTED:/g)).toHaveLength(2);
    expect(everything(state)).not.toContain(TOKEN);
  });
});

describe("people", () => {
  it("of this history stay, others go, and home is ~", () => {
    git(repo, "config", "user.email", "grace@acme-labs.io");
    commit(repo, { x: "x" });
    const text = `ask ada@example.com, grace@acme-labs.io, not eve@corp-mail.io; see ${process.env.HOME}/notes`;
    const { body } = stored(repo, writeJson(repo, ["-m", "x", "--state", text]));
    expect(body).toMatch(/ask ada@example\.com, grace@acme-labs\.io, not \[REDACTED:[^\]]+\]; see ~\/notes/);
  });
});
