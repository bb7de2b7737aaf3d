import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { snapshot } from "./support.js";

const AGENTS = ["claude-code", "codex", "cursor", "copilot", "gemini", "opencode", "pi"];
const COMMAND = "git handoff session-start";

function surroundings() {
  const home = tempDir("home");
  const env = {
    ...process.env,
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    CLAUDE_CONFIG_DIR: undefined,
    CODEX_HOME: undefined,
    COPILOT_HOME: undefined,
    PI_CODING_AGENT_DIR: undefined,
  };
  const dir = makeRepo();
  const call = (...args: string[]) => handoff(dir, ["install", ...args], { env });
  return { home, env, dir, call };
}

const OTHER = `{
  // kept
  "theme": "dark",
  "version": 1,
  "hooks": {
    "SessionStart": [{ "hooks": [{ "type": "command", "command": "echo a" }] }],
    "sessionStart": [{ "command": "echo b" }]
  }
}
`;

/** Where the settings are and the path to the command in them. */
const FILES: Record<string, { project: string; user: string; event: string }> = {
  "claude-code": { project: ".claude/settings.json", user: ".claude/settings.json", event: "SessionStart" },
  codex: { project: ".codex/hooks.json", user: ".codex/hooks.json", event: "SessionStart" },
  cursor: { project: ".cursor/hooks.json", user: ".cursor/hooks.json", event: "sessionStart" },
  copilot: {
    project: ".github/hooks/handoff.json",
    user: ".copilot/hooks/handoff.json",
    event: "sessionStart",
  },
  gemini: { project: ".gemini/settings.json", user: ".gemini/settings.json", event: "SessionStart" },
};

describe("install --agent", () => {
  for (const agent of AGENTS) {
    for (const scope of ["project", "user"] as const) {
      it(`${agent} --${scope}: three times is once, removed without a trace`, () => {
        const { home, dir, call } = surroundings();
        const root = scope === "project" ? dir : home;
        const skip = (path: string) =>
          path.startsWith(".git/") || path.startsWith("state") || path.startsWith(".cache");
        const before = snapshot(root, skip);
        const printed = call("--agent", agent, `--${scope}`, "--print");
        expect(printed.code).toBe(0);
        expect(printed.stdout).toContain(`${agent}: would be written `);
        expect(snapshot(root, skip)).toEqual(before);
        const first = call("--agent", agent, `--${scope}`);
        expect(first).toMatchObject({ code: 0, stderr: "" });
        const once = snapshot(root, skip);
        const paths = Object.keys(once).filter((path) => !(path in before));
        for (const path of paths) {
          expect(first.stdout).toContain(join(root, path));
          expect(printed.stdout).toContain(readFileSync(join(root, path), "utf8"));
        }
        expect(paths.some((path) => path.endsWith("skills/handoff/SKILL.md"))).toBe(true);
        const file = FILES[agent]?.[scope];
        if (file !== undefined) expect(paths).toContain(file);
        call("--agent", agent, `--${scope}`);
        call("--agent", agent, `--${scope}`);
        expect(snapshot(root, skip)).toEqual(once);
        expect(call("--agent", agent, `--${scope}`, "--remove").code).toBe(0);
        expect(snapshot(root, skip)).toEqual(before);
        expect(existsSync(join(root, ".claude"))).toBe(false);
        expect(existsSync(join(root, ".agents"))).toBe(false);
      });
    }
  }

  for (const [agent, files] of Object.entries(FILES)) {
    it(`${agent}: other settings, order and comments stay, and come back to the byte`, () => {
      const { dir, call } = surroundings();
      put(dir, files.project, OTHER);
      chmodSync(join(dir, files.project), 0o600);
      expect(call("--agent", agent, "--project")).toMatchObject({ code: 0, stderr: "" });
      const text = readFileSync(join(dir, files.project), "utf8");
      expect(text).toContain("// kept");
      expect(text).toContain("echo a");
      expect(text.split(COMMAND).length - 1).toBe(agent === "copilot" ? 2 : 1);
      expect(statSync(join(dir, files.project)).mode & 0o777).toBe(0o600);
      call("--agent", agent, "--project", "--remove");
      expect(readFileSync(join(dir, files.project), "utf8")).toBe(OTHER);
    });

    it(`${agent}: a broken file is refused and stays`, () => {
      const { dir, call } = surroundings();
      put(dir, files.project, '{ "hooks": ');
      const result = call("--agent", agent, "--project");
      expect(result.code).toBe(128);
      expect(result.stderr).toMatch(/^fatal: .*no valid JSON.*untouched$/m);
      expect(readFileSync(join(dir, files.project), "utf8")).toBe('{ "hooks": ');
    });
  }

  it("settings changed since: ours goes, the change stays", () => {
    const { dir, call } = surroundings();
    put(dir, ".claude/settings.json", OTHER);
    call("--agent", "claude-code", "--project");
    const path = join(dir, ".claude/settings.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"dark"', '"light"'));
    call("--agent", "claude-code", "--project", "--remove");
    expect(readFileSync(path, "utf8")).toBe(OTHER.replace('"dark"', '"light"'));
  });

  it("removal on another machine, where nothing was noted, keeps what is the user's", () => {
    const { dir, env, call } = surroundings();
    put(dir, ".claude/settings.json", OTHER);
    call("--agent", "claude-code", "--project");
    const elsewhere = { ...env, XDG_STATE_HOME: tempDir("other-state") };
    handoff(dir, ["install", "--agent", "claude-code", "--project", "--remove"], { env: elsewhere });
    const text = readFileSync(join(dir, ".claude/settings.json"), "utf8");
    expect(text).not.toContain(COMMAND);
    expect(text).toContain("// kept");
    expect(text).toContain("echo a");
  });

  it("writes through a link into the file it leads to", () => {
    const { dir, call } = surroundings();
    put(dir, "dotfiles/claude.json", "{}\n");
    put(dir, ".claude/x", "");
    symlinkSync("../dotfiles/claude.json", join(dir, ".claude/settings.json"));
    call("--agent", "claude-code", "--project");
    expect(readFileSync(join(dir, "dotfiles/claude.json"), "utf8")).toContain(COMMAND);
    call("--agent", "claude-code", "--project", "--remove");
    expect(readFileSync(join(dir, "dotfiles/claude.json"), "utf8")).toBe("{}\n");
  });

  it("several agents share one skill; it goes with the last", () => {
    const { dir, call } = surroundings();
    const skill = join(dir, ".agents/skills/handoff/SKILL.md");
    call("--agent", "codex", "--agent", "cursor", "--project");
    call("--agent", "codex", "--project", "--remove");
    expect(existsSync(skill)).toBe(true);
    call("--agent", "cursor", "--project", "--remove");
    expect(existsSync(skill)).toBe(false);
  });

  it("a skill that somebody changed or wrote stays", () => {
    const { dir, call } = surroundings();
    put(dir, ".claude/skills/handoff/SKILL.md", "mine\n");
    expect(call("--agent", "claude-code", "--project").stdout).toContain("stays as it is");
    call("--agent", "claude-code", "--project", "--remove");
    expect(readFileSync(join(dir, ".claude/skills/handoff/SKILL.md"), "utf8")).toBe("mine\n");
  });

  it("Claude Code: matcher without compact, five seconds, one command", () => {
    const { home, call } = surroundings();
    call("--agent", "claude-code");
    expect(JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"))).toEqual({
      hooks: {
        SessionStart: [
          {
            matcher: "startup|resume|clear",
            hooks: [{ type: "command", command: COMMAND, timeout: 5 }],
          },
        ],
      },
    });
  });

  it("outside a repository: --user works, --project is fatal", () => {
    const { home, env } = surroundings();
    const outside = tempDir("outside");
    expect(handoff(outside, ["install", "--agent", "codex", "--user"], { env }).code).toBe(0);
    expect(existsSync(join(home, ".codex/hooks.json"))).toBe(true);
    expect(handoff(outside, ["install", "--agent", "codex", "--project"], { env }).code).toBe(128);
  });

  it("an unknown agent, and options that need one, are wrong usage", () => {
    const { call, dir } = surroundings();
    expect(call("--agent", "clippy", "--user")).toMatchObject({ code: 129 });
    expect(call("--project").code).toBe(129);
    expect(git(dir, "status", "--porcelain")).toBe("");
  });
});
