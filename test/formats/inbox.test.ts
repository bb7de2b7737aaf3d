import { describe, expect, it } from "vitest";
import { journalFile, read } from "./sources.js";

const journal = "/s/handoffs/2026-05-01_1000_go-on.md";
const inbox = "/s/handoffs/inbox/2026-05-01_1000_go-on.md";

/** The document's own template, with its comments. */
const TEMPLATE = `---
project: /Users/kittipos/my_config/agent-stuff   # DESTINATION — whose project-key this lands under
created: 2026-07-09T14:30                        # local time
harness: claude-code                             # or codex, pi, …
focus: <the argument verbatim; else a one-line summary of the next session's purpose>
git: main @ 8a84de3                              # DESTINATION: <branch> @ <short-sha>; append
                                                 # " (dirty)" if uncommitted; \`none\` if not a
                                                 # repo; \`unknown\` if unreadable (written from
                                                 # another repo)
breaking: true                                   # INBOX only, required there: does the
                                                 # destination need a code/ops change to stay
                                                 # correct? true | false
from:
  repo: orthanc-test-pacs                        # logical name from ~/.lightbridge/repos.toml
  project: /Users/kittipos/…/orthanc-test-pacs   # ORIGIN — absolute path; the reader can cd here
  git: main @ 72745e1                            # ORIGIN: what the described work landed as
---

## Impact here

Rename it.
`;

describe("the document's own template", () => {
  it("comes in with every comment understood", () => {
    const { form, state, branch, document, warnings } = read(inbox, TEMPLATE);
    expect({ form, state, branch, warnings }).toEqual({
      form: "inbox",
      state: "inbox",
      branch: { kind: "repository" },
      warnings: [],
    });
    expect(document.meta).toMatchObject({
      task_key: "HEAD",
      project: "agent-stuff",
      delivery: "pushed",
      written: "2026-07-09T14:30",
      harness: "claude-code",
      intent: "<the argument verbatim; else a one-line summary of the next session's purpose>",
      git: "main @ 8a84de3",
      breaking: true,
      from: {
        repo: "orthanc-test-pacs",
        project: "/Users/kittipos/…/orthanc-test-pacs",
        git: "main @ 72745e1",
      },
    });
    for (const line of TEMPLATE.split("\n").filter((each) => each !== "---"))
      expect(document.body).toContain(line);
  });
});

describe("a journal file", () => {
  it("belongs to the branch that its git names, and to none where it names none", () => {
    expect(read(journal, journalFile({ git: "feat/x @ 8a84de3 (dirty)   # c" }))).toMatchObject({
      state: "open",
      branch: { kind: "branch", name: "feat/x" },
      document: { meta: { task_key: "feat/x", delivery: "pulled", git: "feat/x @ 8a84de3 (dirty)" } },
    });
    for (const git of ["none", "unknown", "8a84de3", "HEAD @ 8a84de3"])
      expect(read(journal, journalFile({ git })).branch).toEqual({ kind: "unknown" });
  });

  it("keeps its own time as it stands", () => {
    expect(read(journal, journalFile({ created: "2026-05-01T10:00" })).document.meta.written).toBe(
      "2026-05-01T10:00",
    );
  });

  it.each([
    ['"a: b"  # c', "a: b"],
    ["Fix: the parser", "Fix: the parser"],
    ["Close #12 and #13", "Close #12 and #13"],
    ["Close #12  # the old one", "Close #12"],
    ["'x'", "x"],
    ["no", "no"],
    ["[x] done: y", "[x] done: y"],
  ])("reads the focus %s", (focus, intent) => {
    expect(read(journal, journalFile({ focus })).document.meta.intent).toBe(intent);
  });

  it("has no `breaking`: that is the inbox's", () => {
    const { document, state } = read(journal, journalFile({ breaking: "true" }));
    expect({ state, breaking: document.meta.breaking }).toEqual({ state: "open", breaking: undefined });
  });
});

describe("an inbox file", () => {
  it.each([
    ["true   # does it?", true],
    ["TRUE", true],
    ["false", false],
    ['"true"', true],
  ])("reads breaking: %s", (written, breaking) => {
    expect(read(inbox, journalFile({ breaking: written })).document.meta.breaking).toBe(breaking);
  });

  it("without `breaking` is not breaking, as its own reader has it, and says so", () => {
    const { document, warnings } = read(inbox, journalFile({}));
    expect(document.meta.breaking).toBe(false);
    expect(warnings).toEqual(["breaking: not given; the format reads that as false"]);
  });

  it("may have it below `from`, as earlier ones did", () => {
    const text = journalFile({ from: "\n  repo: a\n  breaking: true" });
    expect(read(inbox, text).document.meta).toMatchObject({ breaking: true, delivery: "pushed" });
  });

  it("is one outside of the layout by what it says", () => {
    const pushed = read("/x/note.md", journalFile({ breaking: "false" }));
    expect(pushed.state).toBe("inbox");
    expect(read("/x/note.md", journalFile({}, "## Impact here\n\nx\n")).state).toBe("inbox");
    expect(read("/x/note.md", journalFile({ from: "\n  repo: a" })).state).toBe("open");
  });

  it("without frontmatter is an inbox handoff all the same", () => {
    expect(read(inbox, "Just prose.\n")).toMatchObject({
      form: "inbox",
      state: "inbox",
      document: { meta: { intent: "unknown", delivery: "pushed", breaking: false }, body: "Just prose.\n" },
      warnings: ["no frontmatter; kept whole as the body"],
    });
  });
});
