import { expect, test } from "vitest";
import { recordWrite } from "../../src/store/events.js";
import { readLog } from "../../src/store/history.js";
import { readView } from "../../src/store/join.js";
import { newDocument } from "../support/document.js";
import { git } from "../support/repo.js";
import { emptyRepo, gitPort } from "./ports.js";

test("eight writers at once without an id agree on one and lose none of eighty appends", async () => {
  const dir = emptyRepo();
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      const port = await gitPort(dir);
      for (let turn = 0; turn < 10; turn++) {
        const written = new Date(Date.UTC(2026, 4, 1, writer, turn)).toISOString();
        const document = newDocument(`writer ${writer} turn ${turn}`, { written });
        await recordWrite(port, { branch: "main", mode: "append", document });
      }
    }),
  );
  const port = await gitPort(dir);
  expect(git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/").split("\n")).toHaveLength(1);
  const events = await readLog(port, "main");
  expect(events).toHaveLength(80);
  expect(new Set(events.flatMap(({ ids }) => ids)).size).toBe(80);
  const { items, warnings } = await readView(port, "main");
  expect(warnings).toEqual([]);
  expect(items).toHaveLength(80);
  expect(items.filter(({ state }) => state === "open")).toHaveLength(1);
  expect(git(dir, "fsck", "--strict", "--no-dangling")).toBe("");
});
