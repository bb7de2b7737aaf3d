// What the files of one store say about each other.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { findFiles } from "../../src/formats/find-files.js";
import { planImport } from "../../src/formats/plan.js";
import { tempDir } from "../support/repo.js";
import { evidenceFile, journalFile, parkFile } from "./sources.js";

let home: string;
beforeEach(() => {
  home = tempDir("order");
});

function put(path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

function evidence(folder: string, time: string, fields: Record<string, unknown> = {}): void {
  const id = `handoff-${time}`;
  put(`${folder}/${id}.json`, evidenceFile({ id, ...fields }));
}

async function states(...paths: string[]) {
  const { files } = await findFiles(paths.length > 0 ? paths : ["."], home);
  const plan = await planImport(files, {
    branches: { given: null, current: "main", known: [], tracked: [] },
    redact: true,
    objectFormat: "sha1",
  });
  const short = (path: string) => path.slice(home.length + 1);
  return {
    states: Object.fromEntries(plan.files.map(({ path, document }) => [short(path), document.state])),
    failed: plan.failed.map(({ path, reason }) => `${short(path)}: ${reason}`),
    warnings: plan.files.flatMap(({ warnings }) => warnings),
  };
}

const canonical = ".agents/ao/handoff";
const legacy = ".agents/handoff";

describe("evidence", () => {
  it("leaves no file of its folders without a word: misnamed ones and Markdown", async () => {
    evidence(canonical, "20260501T100000Z");
    put(`${canonical}/mine.json`, evidenceFile({ id: "handoff-20260502T100000Z" }));
    put(`${legacy}/notes.json`, "{");
    put(`${legacy}/2026-05-03-parser.md`, "# Parser\n");
    const { states: found, failed } = await states();
    expect(found).toEqual({
      [`${canonical}/handoff-20260501T100000Z.json`]: "open",
      [`${legacy}/2026-05-03-parser.md`]: "open",
    });
    expect(failed).toEqual([
      expect.stringMatching(/mine\.json: not valid: its name is not that of its id/),
      expect.stringMatching(/notes\.json: not readable as JSON/),
    ]);
  });

  it("is open in its newest file by id, fractions as numbers, both folders together", async () => {
    evidence(canonical, "20260501T100000.9Z", { goal: "1" });
    evidence(legacy, "20260501T100000.99Z", { goal: "2" });
    evidence(canonical, "20260501T095959.999999999Z", { goal: "3" });
    expect((await states()).states).toEqual({
      [`${canonical}/handoff-20260501T095959.999999999Z.json`]: "closed",
      [`${canonical}/handoff-20260501T100000.9Z.json`]: "closed",
      [`${legacy}/handoff-20260501T100000.99Z.json`]: "open",
    });
  });

  it.each([
    ["20260501T100000.9Z", "20260501T100000.90Z"],
    ["20260501T100000.90Z", "20260501T100000.9Z"],
    ["20260501T100000Z", "20260501T100000Z"],
  ])("is open in the canonical folder on a tie: %s there, %s in the legacy one", async (there, here) => {
    evidence(canonical, there, { goal: "1" });
    evidence(legacy, here, { goal: "2" });
    expect((await states()).states).toEqual({
      [`${canonical}/handoff-${there}.json`]: "open",
      [`${legacy}/handoff-${here}.json`]: "closed",
    });
  });

  it("is one where both folders have the same file", async () => {
    evidence(canonical, "20260501T100000Z");
    evidence(legacy, "20260501T100000Z");
    const { states: found, warnings } = await states();
    expect(found).toEqual({ [`${canonical}/handoff-20260501T100000Z.json`]: "open" });
    expect(warnings).toContain(`the same as ${home}/${legacy}/handoff-20260501T100000Z.json`);
  });

  it("reports an invalid newest file and opens the next", async () => {
    evidence(canonical, "20260501T100000Z");
    put(`${canonical}/handoff-20260502T100000Z.json`, "{");
    evidence(legacy, "20260503T100000Z", { schema_version: 2 });
    const { states: found, failed } = await states();
    expect(found).toEqual({ [`${canonical}/handoff-20260501T100000Z.json`]: "open" });
    expect(failed).toEqual([
      expect.stringMatching(/^\.agents\/ao\/handoff\/handoff-20260502T100000Z\.json: not readable as JSON/),
      expect.stringMatching(/^\.agents\/handoff\/handoff-20260503T100000Z\.json: not valid: schema_version/),
    ]);
  });

  it("of two repositories is two stores", async () => {
    evidence(`a/${canonical}`, "20260501T100000Z", { goal: "1" });
    evidence(`b/${legacy}`, "20260401T100000Z", { goal: "2" });
    expect(Object.values((await states()).states)).toEqual(["open", "open"]);
  });
});

describe("a journal", () => {
  it("is open in its last file by the time in the name; one without a time counts by `created`", async () => {
    put("handoffs/2026-05-01_1000_z.md", journalFile({ focus: "1" }));
    put("handoffs/2026-05-02_0900_a.md", journalFile({ focus: "2", created: "2020-01-01T00:00" }));
    put("handoffs/zzz.md", journalFile({ focus: "3", created: "2026-05-01T11:00" }));
    put("handoffs/zzzz.md", journalFile({ focus: "4", created: "once" }));
    expect((await states()).states).toEqual({
      "handoffs/2026-05-01_1000_z.md": "closed",
      "handoffs/2026-05-02_0900_a.md": "open",
      "handoffs/zzz.md": "closed",
      "handoffs/zzzz.md": "closed",
    });
  });

  it("leaves its inbox alone, where only `.acked` ends something", async () => {
    put("handoffs/2026-05-01_1000_a.md", journalFile({ focus: "1" }));
    put("handoffs/inbox/2026-05-01_1000_a.md", journalFile({ focus: "2", breaking: "true   # c" }));
    put("handoffs/inbox/2026-05-02_1000_b.md", journalFile({ focus: "3", breaking: "false" }));
    put("handoffs/inbox/2026-05-03_1000_c.md", journalFile({ focus: "4", breaking: "false" }));
    put("handoffs/inbox/.acked", "2026-05-02_1000_b.md\r\n");
    const expected = {
      "handoffs/2026-05-01_1000_a.md": "open",
      "handoffs/inbox/2026-05-01_1000_a.md": "inbox",
      "handoffs/inbox/2026-05-02_1000_b.md": "acked",
      "handoffs/inbox/2026-05-03_1000_c.md": "inbox",
    };
    expect((await states()).states).toEqual(expected);
    expect((await states("handoffs/inbox/2026-05-02_1000_b.md")).states).toEqual({
      "handoffs/inbox/2026-05-02_1000_b.md": "acked",
    });
  });
});

it("park files are each open or closed by their own name", async () => {
  put("handoff/a.md", parkFile("  []\n"));
  put("handoff/b.md", parkFile("  []\n", "x: b\n"));
  put("handoff/a.md.closed-20260401", parkFile("  []\n", "x: a\n"));
  expect((await states()).states).toEqual({
    "handoff/a.md": "open",
    "handoff/a.md.closed-20260401": "closed",
    "handoff/b.md": "open",
  });
});
