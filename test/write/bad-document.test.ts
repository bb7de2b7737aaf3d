// A document that is wrong is said in lines that help whoever wrote it, and YAML's own traps are pointed out.
import { beforeEach, describe, expect, it } from "vitest";
import { handoff, makeRepo } from "../support/repo.js";
import { handoffRefs, stored, writeJson } from "./store.js";

let repo: string;
beforeEach(() => {
  repo = makeRepo("bad-document");
});

const rejection = (predicate: string) =>
  `intent: go\nrejections:\n  - kind: structural\n    claim: c\n    anchor: a\n    predicate: ${predicate}\n`;

describe("a bad document", () => {
  it.each([
    ["nothing", "", "error: stdin: empty\n"],
    [
      "no intent",
      "goal: x\n",
      "error: stdin: intent: expected a string, found nothing (give -m <text>, or intent in --from)\n",
    ],
    [
      "two wrong values",
      "intent: x\nrejections: 3\nstate: 5\n",
      "error: stdin: rejections: expected a list, found 3\nerror: stdin: state: expected a string, found 5\n",
    ],
    [
      "an unquoted colon",
      "intent: x\ngoal: a: b\n",
      'error: stdin: not readable as YAML: Nested mappings are not allowed in compact mappings (line 2); an unquoted value must not hold ": ", so quote the value of goal\n',
    ],
    [
      "an unquoted colon below a frontmatter's first line",
      "---\nintent: x\ngoal: a: b\n---\n## State\n",
      'error: stdin: not readable as YAML: Nested mappings are not allowed in compact mappings (line 3); an unquoted value must not hold ": ", so quote the value of goal\n',
    ],
    [
      "a test that YAML takes for a list",
      rejection("[ -f src/parser.ts ]"),
      "error: stdin: rejections[0].predicate: expected a string, found a list (a text that begins with [ must be quoted)\n",
    ],
  ])("(%s) is told without the usage text", (_, input, stderr) => {
    expect(handoff(repo, ["write", "--from", "-"], { input })).toEqual({ code: 129, stdout: "", stderr });
    expect(handoffRefs(repo)).toBe("");
  });
});

describe("an unquoted text", () => {
  it("that YAML cuts at a # is warned of", () => {
    const input = `${rejection("grep -q a src/parser.ts #3")}goal: see #3 #4\nnext:\n  - do #5\nunresolved:\n  - text: "quoted #1" # said\n    kind: risk # not a text\n`;
    const { stderr } = handoff(repo, ["write", "--from", "-", "--dry-run"], { input });
    expect(stderr.split("\n").filter((line) => line.includes("cut at"))).toEqual(
      ["predicate (line 6)", "goal (line 7)", "next (line 9)"].map(
        (place) =>
          `warning: stdin: ${place}: cut at " #", which begins a comment; quote the text to keep it whole`,
      ),
    );
  });

  it("keeps the ! that negates a predicate", () => {
    const input = rejection("! grep -q 'enum Parser' src/parser.ts");
    const written = writeJson(repo, ["--from", "-"], { input });
    expect(stored(repo, written).meta.rejections).toMatchObject([
      { predicate: "! grep -q 'enum Parser' src/parser.ts" },
    ]);
  });
});
