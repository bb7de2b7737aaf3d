// The three sources' own examples, as they print them, come in and get the verdict their text promises.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commit, git, handoff, makeRepo, put } from "../support/repo.js";
import { evidenceFile, journalFile } from "./sources.js";

interface Rejection {
  claim: string;
  predicate: string;
  verdict: string;
  gating: boolean;
  low_info: boolean;
  note: string | null;
}

let repo: string;
beforeAll(() => {
  repo = makeRepo("examples");
  git(repo, "switch", "-qc", "feat/examples");
  commit(repo, {
    "src/Foo.php": "final class Foo {}\n",
    "src/Renderer.php": "function render(Context $ctx): string\n",
    "tests/RendererTest.php": "throws NullPointerException\n",
    "package.json": '{ "react": "18.2.0" }\n',
  });
});

/** Kind, predicate as the document's table has it, and what its text says of it. */
const EXAMPLES: readonly [string, string, string][] = [
  ["structural", "grep -q 'final class Foo' src/Foo.php", "holds"],
  ["structural", "the Bar interface still exposes execute(): void at lib/Bar.ts", "cannot-evaluate"],
  ["contractual", "grep -qF 'function render(Context $ctx): string' src/Renderer.php", "holds"],
  [
    "contractual",
    "the GET /v1/items endpoint still accepts &filter[status] per docs/api.md",
    "cannot-evaluate",
  ],
  ["empirical-local", "grep -q 'throws NullPointerException' tests/RendererTest.php", "holds"],
  [
    "empirical-local",
    "the line 'preview returns null' in CampaignPreviewController.php:142 is still present",
    "cannot-evaluate",
  ],
  ["empirical-external", `grep -q '"react": "18\\.' package.json`, "holds"],
  ["empirical-external", "composer.lock pins guzzlehttp/guzzle to 7.5.x", "cannot-evaluate"],
  ["goal-conditional", "user still prefers the smaller blast-radius approach", "cannot-evaluate"],
  ["goal-conditional", "user still wants to avoid touching the legacy Foo subsystem", "cannot-evaluate"],
  ["goal-conditional", "user still wants improvements", "cannot-evaluate"],
  ["untyped", "approach X felt wrong but I can't articulate why", "cannot-evaluate"],
  ["structural", "true", "holds"],
];

/** As the table prints it: in double quotes, with escapes. */
function quoted(predicate: string): string {
  return JSON.stringify(predicate);
}

function parkFile(written: (predicate: string) => string): string {
  const rejections = EXAMPLES.map(
    ([kind, predicate], index) =>
      `  - kind: ${kind}\n    claim: claim ${index}\n    anchor: ${kind === "goal-conditional" ? "null" : "x"}\n    predicate: ${written(predicate)}\n    fallback: drop and surface to user\n`,
  );
  return `---\ntask_key: feat-examples\nproject: examples\nwritten: 2026-05-01T10:00:00Z\nintent: Go on\ngoal: null\nrejections:\n${rejections.join("")}---\n<!-- Narrative scratch — not consumed by the evaluator -->\n`;
}

function importAndRead(text: string, name = "feat-examples.md") {
  const path = join(repo, "..", name);
  writeFileSync(path, text);
  const { code, stdout, stderr } = handoff(repo, ["import", "--json", path]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { files } = JSON.parse(stdout) as { files: { handle: string }[] };
  const shown = handoff(repo, ["show", "--json", files[0]?.handle ?? ""]).stdout;
  const { handoffs, inbox } = JSON.parse(shown) as {
    handoffs: { rejections: Rejection[]; artifacts: { evidence: string; verdict: string }[] }[];
    inbox: unknown[];
  };
  return { handoff: handoffs[0], inbox, handle: files[0]?.handle ?? "" };
}

describe.each([
  ["in double quotes", quoted],
  ["without quotes", (predicate: string) => predicate],
])("the park document's predicates %s", (_, written) => {
  let rejections: Rejection[];
  beforeAll(() => {
    rejections = importAndRead(parkFile(written)).handoff?.rejections ?? [];
  });

  it("come in as they stand and get their verdict", () => {
    expect(rejections.map(({ predicate, verdict }) => [predicate, verdict])).toEqual(
      EXAMPLES.map(([, predicate, verdict]) => [predicate, verdict]),
    );
  });

  it("gate only where they hold and say something", () => {
    const gating = rejections.filter((each) => each.gating).map(({ predicate }) => predicate);
    expect(gating).toEqual(
      EXAMPLES.filter(([, predicate, verdict]) => verdict === "holds" && predicate !== "true").map(
        ([, predicate]) => predicate,
      ),
    );
    const lowInfo = rejections.filter((each) => each.low_info).map(({ predicate }) => predicate);
    expect(lowInfo).toEqual(["user still wants improvements", "true"]);
  });
});

it("the same predicates fail once the ground has shifted", () => {
  const { handle } = importAndRead(parkFile(quoted));
  for (const path of ["src/Foo.php", "src/Renderer.php", "tests/RendererTest.php", "package.json"])
    put(repo, path, "changed\n");
  const shown = handoff(repo, ["show", "--json", handle]).stdout;
  git(repo, "checkout", "-q", "--", ".");
  const { handoffs } = JSON.parse(shown) as { handoffs: { rejections: Rejection[] }[] };
  const failing = handoffs[0]?.rejections.filter(({ verdict }) => verdict === "fails");
  expect(failing?.map(({ predicate }) => predicate)).toEqual(
    EXAMPLES.filter(([, predicate, verdict]) => verdict === "holds" && predicate !== "true").map(
      ([, predicate]) => predicate,
    ),
  );
});

it("the park document's schema, as it is printed, comes in", () => {
  const schema = `---
task_key: <branch-slug>
project: <project>
written: <ISO 8601 timestamp>
intent: <immediate next intent>
goal: <active goal or null>
rejections:
  - kind: structural
    claim: <claim text>
    anchor: <file path or identifier>
    predicate: <grep -q '...' path/to/file>
    fallback: drop and surface to user
  - kind: goal-conditional
    claim: <claim text>
    anchor: null
    predicate: user still wants <P>
    fallback: drop and surface to user
---
<!-- Narrative scratch — not consumed by the evaluator -->
`;
  const rejections = importAndRead(schema, "schema.md").handoff?.rejections;
  expect(rejections?.map(({ predicate, verdict }) => [predicate, verdict])).toEqual([
    ["<grep -q '...' path/to/file>", "cannot-evaluate"],
    ["user still wants <P>", "cannot-evaluate"],
  ]);
});

it("the evidence document's artifacts are there or missing, never taken for granted", () => {
  put(repo, "cli/internal/gates/regen.go", "package gates\n");
  const text = evidenceFile({
    goal: "migrating regen to Go",
    summary: "finished regen.go and left scripts/regen-all.sh untouched",
    continuation: "update docs/CI-CD.md",
    artifacts_produced: ["cli/internal/gates/regen.go", "cli/internal/gates/phantom.go"],
    state: { git_branch: "feat/examples", git_dirty: true },
  });
  const { handoff: shown } = importAndRead(text, "handoff-20260501T100000.000000000Z.json");
  expect(shown).toMatchObject({
    intent: "unknown",
    goal: "migrating regen to Go",
    sections: { next: ["update docs/CI-CD.md"] },
  });
  expect(shown?.artifacts.map(({ evidence, verdict }) => [evidence, verdict])).toEqual([
    // It is there; what it was like when the file was written nobody wrote down.
    ["cli/internal/gates/regen.go", "unchecked"],
    ["cli/internal/gates/phantom.go", "missing"],
  ]);
});

it("the inbox document's commit is an ancestor or is stale", () => {
  const base = git(repo, "rev-parse", "--short", "HEAD~1");
  const fresh = importAndRead(journalFile({ git: `feat/examples @ ${base}   # DESTINATION` }), "j1.md");
  expect(fresh.handoff).toMatchObject({ freshness: { ancestry: "ancestor", behind: 1 } });
  git(repo, "switch", "-q", "-c", "aside", base);
  const aside = commit(repo, { "aside.txt": "x\n" }).slice(0, 7);
  git(repo, "switch", "-q", "feat/examples");
  const stale = importAndRead(journalFile({ git: `feat/examples @ ${aside}` }), "j2.md");
  expect(stale.handoff).toMatchObject({ freshness: { ancestry: "diverged", stale: true } });
});
