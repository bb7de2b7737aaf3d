import { describe, expect, it } from "vitest";
import { compareEvidenceIds } from "../../src/formats/evidence-schema.js";
import { evidenceFile, read } from "./sources.js";

const NAME = "handoff-20260501T100000.000000000Z.json";
const canonical = `/r/.agents/ao/handoff/${NAME}`;

describe("an evidence file", () => {
  it("becomes keys and sections, and stays word for word in the body", () => {
    const text = evidenceFile({
      goal: "Migrate regen",
      summary: "Half way",
      continuation: "1. Update docs\n2. Run it",
      artifacts_produced: ["cli/regen.go"],
      decisions_made: ["Keep the script"],
      open_risks: ["docs lag"],
      state: {
        git_branch: "feat/regen",
        git_dirty: true,
        modified_files: ["a.go"],
        recent_commits: ["8a84de3 Move regen", "1111111 Before"],
      },
    });
    const { form, branch, document, understood, body, warnings } = read(canonical, text);
    expect({ form, branch, warnings }).toEqual({
      form: "evidence",
      branch: { kind: "branch", name: "feat/regen" },
      warnings: [],
    });
    expect(document.meta).toMatchObject({
      task_key: "feat/regen",
      written: "2026-05-01T10:00:00Z",
      intent: "unknown",
      goal: "Migrate regen",
      summary: "Half way",
      git: "feat/regen @ 8a84de3 (dirty)",
      dirty_files: ["a.go"],
      artifacts: [{ claim: "artifact produced", evidence: "cli/regen.go" }],
      unresolved: [{ kind: "risk", text: "docs lag" }],
    });
    expect(document.body).toBe(
      `## Next steps\n\n1. Update docs\n2. Run it\n\n## Decisions\n\n- Keep the script\n\n## As imported (evidence)\n\n\`\`\`json\n${text}\n\`\`\`\n`,
    );
    expect(understood).toContain("continuation");
    expect(body).toEqual(["decisions_made"]);
  });

  it.each([
    [
      "the first",
      {
        type: "rpi",
        consumed: true,
        consumed_at: null,
        consumed_by: "s1",
        rpi: { phase: 3, phase_name: "validation", verdicts: { scope: "PASS" } },
        state: { git_dirty: false, active_bead: "b-1", open_beads_count: 0, reservations: [] },
      },
    ],
    ["the second", { id: "handoff-20260501T100000Z", continuation: "x", state: null }],
    ["the third", { state: { git_dirty: false } }],
    ["an empty one", {}],
  ])("of %s generation is taken in", (_, fields) => {
    const { id = "handoff-20260501T100000.000000000Z" } = fields as { id?: string };
    const { document, warnings } = read(`/r/.agents/handoff/${id}.json`, evidenceFile(fields));
    expect(warnings).toEqual([]);
    expect(document.meta).toMatchObject({
      written: "2026-05-01T10:00:00Z",
      git: "unknown",
      intent: "unknown",
    });
  });

  it("keeps a field of a later generation, and says so", () => {
    const { document, warnings } = read(canonical, evidenceFile({ mood: "calm" }));
    expect(warnings).toEqual(["unknown to the format, kept in the body: mood"]);
    expect(document.body).toContain('"mood":"calm"');
  });

  it.each([
    ["half a file", evidenceFile({}).slice(0, 30), /^not readable as JSON: /],
    ["a second value", `${evidenceFile({})}{}`, /^not readable as JSON: /],
    ["another version", evidenceFile({ schema_version: 2 }), /^not valid: schema_version: /],
    ["an id of another form", evidenceFile({ id: "handoff-1" }), /^not valid: id: not handoff-<time>Z$/],
    [
      "a time that is none",
      evidenceFile({ created_at: "yesterday" }),
      /^not valid: created_at: not an RFC 3339 time$/,
    ],
    ["a state without git_dirty", evidenceFile({ state: {} }), /^not valid: state\.git_dirty: /],
    ["a null where none may be", evidenceFile({ goal: null }), /^not valid: goal: /],
    ["a text where a list is due", evidenceFile({ open_risks: "x" }), /^not valid: open_risks: /],
    [
      "another id than its name",
      evidenceFile({ id: "handoff-20260501T100001Z" }),
      /^not valid: its name is not that of its id/,
    ],
    ["a list", "[]", /^not valid: /],
  ])("is refused: %s", (_, text, reason) => {
    expect(() => read(canonical, text)).toThrow(reason);
  });

  it("may have any name outside of the format's folders", () => {
    expect(read("/r/report.json", evidenceFile({})).form).toBe("evidence");
  });
});

describe("compareEvidenceIds", () => {
  it.each([
    ["handoff-20260501T100000.9Z", "handoff-20260501T100000.99Z", -1],
    ["handoff-20260501T100000.9Z", "handoff-20260501T100000.90Z", 0],
    ["handoff-20260501T100000Z", "handoff-20260501T100000.000000000Z", 0],
    ["handoff-20260501T100000Z", "handoff-20260501T100000.000000001Z", -1],
    ["handoff-20260501T100001Z", "handoff-20260501T100000.999Z", 1],
    ["handoff-20260501T100000.0000000001Z", "handoff-20260501T100000.000000000Z", 1],
    ["handoff-20260501T100000.10Z", "handoff-20260501T100000.9Z", -1],
  ])("%s and %s", (a, b, order) => {
    expect(Math.sign(compareEvidenceIds(a, b))).toBe(order);
    expect(Math.sign(compareEvidenceIds(b, a))).toBe(order === 0 ? 0 : -order);
  });
});
