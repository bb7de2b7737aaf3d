// Each agent's settings before and after: other entries, order, comments and indentation stay.
import { describe, expect, it } from "vitest";
import { findHost } from "../../src/install/agents/hosts.js";
import { cutPieces } from "../../src/install/agents/json-text.js";
import { addEntry, type Entry, hasEntry, removeEntry } from "../../src/install/agents/settings.js";

function entryOf(name: string): Entry {
  const entry = findHost(name)?.entry;
  if (!entry) throw new Error(name);
  return entry;
}

const claude = entryOf("claude-code");

/** The new text; the old one where the entry is there already. */
function added(text: string, entry: Entry): string {
  return addEntry(text, entry)?.text ?? text;
}

describe("addEntry", () => {
  it("a new file for each agent", () => {
    expect(
      ["claude-code", "codex", "cursor", "copilot", "gemini"].map((name) => added("", entryOf(name))),
    ).toMatchInlineSnapshot(`
      [
        "{
        "hooks": {
          "SessionStart": [
            {
              "matcher": "startup|resume|clear",
              "hooks": [
                {
                  "type": "command",
                  "command": "git handoff session-start",
                  "timeout": 5
                }
              ]
            }
          ]
        }
      }
      ",
        "{
        "hooks": {
          "SessionStart": [
            {
              "matcher": "startup|resume|clear",
              "hooks": [
                {
                  "type": "command",
                  "command": "git handoff session-start",
                  "timeout": 5
                }
              ]
            }
          ]
        }
      }
      ",
        "{
        "version": 1,
        "hooks": {
          "sessionStart": [
            {
              "command": "git handoff session-start",
              "timeout": 5
            }
          ]
        }
      }
      ",
        "{
        "version": 1,
        "hooks": {
          "sessionStart": [
            {
              "type": "command",
              "bash": "git handoff session-start",
              "powershell": "git handoff session-start",
              "timeoutSec": 5
            }
          ]
        }
      }
      ",
        "{
        "hooks": {
          "SessionStart": [
            {
              "matcher": "*",
              "hooks": [
                {
                  "name": "git-handoff",
                  "type": "command",
                  "command": "git handoff session-start",
                  "timeout": 5000
                }
              ]
            }
          ]
        }
      }
      ",
      ]
    `);
  });

  it("keeps comments, order, other hooks and the indentation of the file", () => {
    const text = `{
    // how I work
    "model": "opus", /* the big one */
    "hooks": {
        "Stop": [],
        "SessionStart": [
            // mine first
            { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo hi" }] }
        ]
    },
    "env": { "A": "1" }
}
`;
    const after = added(text, claude);
    expect(after).toMatchInlineSnapshot(`
      "{
          // how I work
          "model": "opus", /* the big one */
          "hooks": {
              "Stop": [],
              "SessionStart": [
                  // mine first
                  { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo hi" }] },
                  {
                      "matcher": "startup|resume|clear",
                      "hooks": [
                          {
                              "type": "command",
                              "command": "git handoff session-start",
                              "timeout": 5
                          }
                      ]
                  }
              ]
          },
          "env": { "A": "1" }
      }
      "
    `);
    expect(addEntry(after, claude)).toBeNull();
    expect(removeEntry(after, claude)).toBe(text);
  });

  it.each([
    ["tabs", '{\n\t"a": 1\n}\n'],
    ["one line", '{"a":1,"hooks":{"Stop":[]}}'],
    ["CRLF", '{\r\n  "a": 1\r\n}\r\n'],
    ["BOM", '\uFEFF{\n  "a": 1\n}\n'],
    ["a comma too many", '{\n  "a": [1, 2,],\n}\n'],
    ["an empty object", "{}\n"],
    ["a comment at the end", '{\n  "a": 1\n}\n// end\n'],
    ["an empty list", '{\n  "hooks": { "SessionStart": [] }\n}\n'],
    ["a comment behind the last value", '{\n  "a": 1 // one\n}\n'],
    ["comments alone", "{\n  // nothing yet\n}\n"],
    ["a list on one line", '{\n  "hooks": { "SessionStart": [{ "hooks": [] }] }\n}\n'],
    ["a blank object", "{ }"],
    ["other top-level keys after", '{\n  "hooks": {\n    "Stop": []\n  },\n  "z": 1\n}'],
  ])("nothing else moves, and it comes back to the byte: %s", (_name, text) => {
    const result = addEntry(text, claude);
    expect(hasEntry(result?.text ?? "", claude)).toBe(true);
    expect((result?.text ?? "").replaceAll("\r\n", "").includes("\n")).toBe(
      text.trim().replaceAll("\r\n", "").includes("\n") || (text.endsWith("\n") && !text.includes("\r")),
    );
    expect(cutPieces(result?.text ?? "", result?.pieces ?? [])).toBe(text);
    // Also where nobody noted what was put in: every word of the user's is still there.
    const removed = removeEntry(result?.text ?? "", claude);
    expect(hasEntry(removed, claude)).toBe(false);
    for (const word of text.match(/"(a|z|Stop)"|\/\/.*|\d/g) ?? []) expect(removed).toContain(word);
  });

  it.each([
    ["no JSON", '{ "a": '],
    ["a list", "[]"],
    ["hooks is a list", '{ "hooks": [] }'],
    ["the event is an object", '{ "hooks": { "SessionStart": {} } }'],
    ["hooks is there twice", '{ "hooks": {}, "hooks": {} }'],
    ["YAML", "hooks:\n  - a\n"],
  ])("refuses %s", (_name, text) => {
    expect(() => addEntry(text, claude)).toThrow(expect.objectContaining({ name: "SettingsError" }));
  });

  it("an entry of ours with the user's own timeout counts as there", () => {
    const text = added("", claude).replace('"timeout": 5', '"timeout": 20');
    expect(addEntry(text, claude)).toBeNull();
  });

  it("an entry of ours in somebody's group goes alone", () => {
    const text = JSON.stringify(
      {
        hooks: {
          SessionStart: [
            {
              hooks: [
                { type: "command", command: "echo a" },
                { type: "command", command: claude.command },
              ],
            },
          ],
        },
      },
      null,
      2,
    );
    const removed = JSON.parse(removeEntry(text, claude)) as object;
    expect(removed).toEqual({
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: "echo a" }] }] },
    });
  });
});
