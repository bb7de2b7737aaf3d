// The open agent-skills form, and that what the skill teaches works.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { COMMANDS } from "../../src/commands/spec.js";
import { handoff, makeRepo, root } from "../support/repo.js";

const path = join(root, "skills/handoff/SKILL.md");
const text = readFileSync(path, "utf8");
const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
const meta = parse(front) as Record<string, unknown>;

const frontmatter = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  description: z.string().min(1).max(1024),
  license: z.string().optional(),
  compatibility: z.string().min(1).max(500).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  "allowed-tools": z.string().optional(),
});

describe("the skill", () => {
  it("has the form that agentskills.io specifies", () => {
    expect(frontmatter.safeParse(meta).error).toBeUndefined();
    expect(meta.name).toBe(basename(dirname(path)));
    expect(body.split("\n").length).toBeLessThan(500);
    // Under 5,000 tokens by any tokenizer.
    expect(body.length).toBeLessThan(6_000);
  });

  it.each([
    "/handoff",
    "park this session",
    "park work for a fresh session",
    "hand off this task",
    "checkpoint this session",
    "write compact session handoff",
    "resume",
  ])("is triggered by: %s", (trigger) => {
    expect(meta.description).toContain(trigger);
  });

  it("names only commands and options that exist", () => {
    const calls = [...body.matchAll(/git handoff ([a-z-]+)([^`\n]*)/g)];
    expect(calls.length).toBeGreaterThan(5);
    for (const [, verb, rest = ""] of calls) {
      const command = COMMANDS.find((known) => known.name === verb);
      expect(command, verb).toBeDefined();
      for (const [, option = ""] of rest.matchAll(/--([a-z][a-z-]+)/g)) {
        const name = option.replace(/^no-/, "");
        expect(
          command?.options?.map((known) => known.name),
          `${verb} --${option}`,
        ).toContain(name);
      }
    }
  });

  it("teaches which kind a preference and an invariant are", () => {
    expect(body).toMatch(/`goal-conditional` when it is a soft preference/);
    expect(body).toMatch(/`structural` when it is a hard invariant/);
    expect(body).toMatch(/in doubt `goal-conditional`/);
  });

  it("its example is taken as it stands, without a warning", () => {
    const [, command = "", document = ""] = /```sh\n(.*) <<'DOC'\n([\s\S]*?)\nDOC\n```/.exec(body) ?? [];
    const dir = makeRepo();
    const args = command.split(" ").slice(2);
    expect(args).toContain("--dry-run");
    const dry = handoff(dir, args, { input: document });
    expect(dry.code).toBe(0);
    const written = handoff(
      dir,
      args.filter((arg) => arg !== "--dry-run"),
      { input: document },
    );
    expect(written.code).toBe(0);
    expect(written.stdout).toContain("(1 rejections, intent captured)");
    const report = JSON.parse(handoff(dir, ["read", "--json"]).stdout) as {
      handoffs: { rejections: object[]; sections: { next: string[] } }[];
    };
    expect(report.handoffs[0]?.rejections[0]).toMatchObject({ verdict: "holds", gating: true });
    expect(report.handoffs[0]?.sections.next).toHaveLength(2);
  });
});

describe("plugin manifests", () => {
  const json = (name: string) =>
    JSON.parse(readFileSync(join(root, name), "utf8")) as Record<string, unknown>;
  const { version } = json("package.json");

  it.each([".claude-plugin/plugin.json", ".codex-plugin/plugin.json"])("%s", (name) => {
    expect(json(name)).toMatchObject({ name: "git-handoff", version });
  });

  it("both find the one skill and the one hook at the root", () => {
    expect(readdirSync(join(root, "skills"))).toEqual(["handoff"]);
    expect(existsSync(join(root, String(json(".codex-plugin/plugin.json").skills)))).toBe(true);
    expect(json("hooks/hooks.json")).toMatchObject({
      hooks: {
        SessionStart: [
          {
            matcher: "startup|resume|clear",
            hooks: [{ type: "command", command: "git handoff session-start", timeout: 5 }],
          },
        ],
      },
    });
    // Either would be a second copy of the hook, and fire a second time.
    expect(json(".claude-plugin/plugin.json")).not.toHaveProperty("hooks");
    expect(json(".codex-plugin/plugin.json")).not.toHaveProperty("hooks");
  });

  it("the marketplace offers the plugin of this folder", () => {
    const plugins = json(".claude-plugin/marketplace.json").plugins as { name: string; source: string }[];
    expect(plugins).toEqual([expect.objectContaining({ name: "git-handoff", source: "./" })]);
  });
});
