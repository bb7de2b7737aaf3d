import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatDocument } from "../../src/document/format.js";
import { parseDocument } from "../../src/document/parse.js";
import { sampleDocument } from "../support/document.js";
import { read } from "./sources.js";

describe("a Markdown handoff of another kind", () => {
  it("is the body, whole, with the keys that fit", () => {
    const text = `---
name: Auth refactor
description: JWT is in, refresh is next.
from: assistant
created: 2026-05-15T18:30:00Z
branch: feat/jwt
head: a7c4f12
session_tool: claude-code
session_id: cse_1
next-action: "Run the tests: all"
status: doing # todo, doing
---

# Auth

## Next steps

1. Run \`make\`
`;
    const { form, branch, document, body, warnings } = read("/x/a.md", text);
    expect({ form, branch, body, warnings }).toEqual({
      form: "markdown",
      branch: { kind: "branch", name: "feat/jwt" },
      body: ["the whole file"],
      warnings: [],
    });
    expect(document.body).toBe(text);
    expect(document.meta).toMatchObject({
      task_key: "feat/jwt",
      written: "2026-05-15T18:30:00Z",
      harness: "claude-code",
      session: { runtime: "claude-code", id: "cse_1", context: "unknown" },
      intent: "Run the tests: all",
      summary: "JWT is in, refresh is next.",
      git: "feat/jwt @ a7c4f12",
    });
    expect(document.meta.from).toBeUndefined();
  });

  it("without frontmatter says nothing of an intent, a branch or a time", () => {
    const { document, branch } = read("/x/HANDOFF.md", "# Fix the parser\n\nNext: all of it.\n");
    expect(branch).toEqual({ kind: "unknown" });
    expect(document.meta).toMatchObject({ intent: "unknown", written: "unknown", task_key: "unknown" });
  });

  it("with a header that cannot be read is the body all the same", () => {
    const text = "---\n: [\n}\n---\n\nx\n";
    const { document, warnings } = read("/x/a.md", text);
    expect(document.body).toBe(text);
    expect(warnings[0]).toMatch(/^not readable as YAML: .*; kept in the body$/);
  });

  it.each([
    ["2026-03-19-161834-x.md", "", "2026-03-19T16:18:34"],
    ["x-20260422-073818-337.md", "", "2026-04-22T07:38:18"],
    ["2026-02-08_05-00_x.md", "date: 2026-02-08", "2026-02-08T05:00"],
    ["2026-02-08_05-00_x.md", "date: 2026-02-09", "2026-02-09"],
    ["x.md", "created: 20260403T093000Z", "2026-04-03T09:30:00Z"],
    ["x.md", "created: 2026-03-19 16:18:34", "2026-03-19 16:18:34"],
    ["x.md", "date: soon", "soon"],
    ["2026-99-99_0500_x.md", "", "unknown"],
  ])("%s with %s was written %s", (name, header, written) => {
    const text = header === "" ? "x\n" : `---\n${header}\n---\nx\n`;
    expect(read(`/x/${name}`, text).document.meta.written).toBe(written);
  });
});

describe("a YAML handoff", () => {
  const text = `---
date: 2026-02-13
status: partial
---

goal: >
  Investigate the daemon's death.
  Found a SIGTERM.

now: wait: 3 agents still run
next:
  - Merge it
  - "Then: push"

decisions:
  - keep_log: >
      It is cheap.
`;

  it("of two documents is read as one, and kept whole", () => {
    const { form, document, understood, warnings } = read("/x/2026-02-13_23-30_daemon.yaml", text);
    expect(form).toBe("yaml");
    expect(document.meta).toMatchObject({
      written: "2026-02-13T23:30",
      goal: "Investigate the daemon's death. Found a SIGTERM.",
      intent: "wait: 3 agents still run",
    });
    expect(document.body).toBe(
      `## Next steps\n\n1. Merge it\n2. Then: push\n\n## As imported (yaml)\n\n\`\`\`yaml\n${text}\`\`\`\n`,
    );
    expect(understood).toContain("next (2)");
    expect(warnings).toEqual(["not quoted, read as plain text: now (line 10)"]);
  });

  it("with code fences in it is fenced with more", () => {
    const { document } = read("/x/a.yml", "goal: |\n  ```\n  x\n  ```\n");
    expect(document.body).toContain("````yaml\ngoal: |\n  ```\n");
  });

  it("that is JSON is taken in, too", () => {
    const { form, document } = read("/x/a.json", '{"goal": "g", "next": ["a"]}');
    expect(form).toBe("yaml");
    expect(document.meta.goal).toBe("g");
    expect(document.body).toContain('```json\n{"goal": "g", "next": ["a"]}\n```');
    expect(() => read("/x/a.json", "{")).toThrow(/^not readable as JSON/);
  });
});

it("a document of our own comes in as it is", () => {
  const stored = formatDocument(sampleDocument("Fix it", { task_key: "feat/x" }));
  const { form, branch, document } = read("/x/a.md", stored);
  expect({ form, branch }).toEqual({ form: "git-handoff", branch: { kind: "branch", name: "feat/x" } });
  expect(formatDocument(document)).toBe(stored);
});

/** A folder of real handoffs, which are other people's and not kept here. */
const samples = process.env.HANDOFF_SAMPLES ?? "";

describe.runIf(existsSync(samples))("real handoffs", () => {
  const names = existsSync(samples) ? readdirSync(samples) : [];
  it.each(names)("%s keeps every line", (name) => {
    const text = readFileSync(join(samples, name), "utf8");
    const { document } = read(join(samples, name), text);
    const stored = formatDocument(document);
    expect(text.split("\n").filter((line) => !stored.split("\n").includes(line))).toEqual([]);
    expect(parseDocument(new TextEncoder().encode(stored))).toEqual({ document, warnings: [] });
  });
});
