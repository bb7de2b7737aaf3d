import fc from "fast-check";
import { expect, test } from "vitest";
import type { TreeEntry } from "../../src/git/object.js";
import { KnownDocumentError } from "../../src/store/errors.js";
import { recordWrite } from "../../src/store/events.js";
import { readLog, readPruned } from "../../src/store/history.js";
import { readAllViews, readLive } from "../../src/store/join.js";
import { planPrune } from "../../src/store/prune.js";
import { newDocument } from "../support/document.js";
import { MemoryPort } from "../support/memory-port.js";
import { commitOf, rawTree } from "./forge.js";
import { store } from "./ports.js";

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

test(`whatever bytes a ref leads to, reading and listing end with warnings, never with an error (seed ${seed})`, async () => {
  console.log(`hostile logs: SEED=${seed}`);
  const name = fc.oneof(
    fc.constantFrom(
      "format",
      "open",
      "closed",
      "inbox",
      "acked",
      "moved",
      "gone",
      "..",
      ".git",
      "a.md",
      "\x1b[2J.md",
    ),
    fc.constant("20260501T100000Z-some-words-0123456.md"),
    fc.string({ unit: "binary" }),
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.string().map((text) => Buffer.from(`---\nintent: ${text}\n---\n`)),
    fc.constantFrom(Buffer.from("1\n"), Buffer.from("99\n"), newDocument("fine").bytes),
  );
  const leaf = fc.record({ mode: fc.constantFrom("100644", "120000", "160000", "40000", "0"), name, bytes });
  const folder = fc.record({ name, entries: fc.array(leaf, { maxLength: 4 }), cut: fc.nat(3) });
  const root = fc.record({
    folders: fc.array(folder, { maxLength: 5 }),
    format: bytes,
    cut: fc.nat(8),
    kind: fc.nat(9),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(root, { maxLength: 4 }), async (roots) => {
      const port = new MemoryPort();
      for (const [index, { folders, format, cut, kind }] of roots.entries()) {
        const rows: TreeEntry[] = [
          { mode: "100644", name: "format", oid: await store(port, "blob", format) },
        ];
        for (const one of folders) {
          const entries: TreeEntry[] = [];
          for (const { mode, name, bytes } of one.entries) {
            entries.push({ mode, name, oid: await store(port, "blob", bytes) });
          }
          const tree = rawTree(entries);
          rows.push({
            mode: "40000",
            name: one.name,
            oid: await store(port, "tree", tree.subarray(0, tree.length - one.cut)),
          });
        }
        const tree = rawTree(rows);
        const oid = await store(port, "tree", kind === 0 ? tree.subarray(0, tree.length - cut) : tree);
        const tip =
          kind === 1 ? oid : kind === 2 ? await store(port, "commit", format) : await commitOf(port, oid);
        port.refStore.set(`refs/handoff/main/eve-00000${index}`, tip);
      }
      const [view] = await readAllViews(port);
      for (const warning of view?.warnings ?? []) expect(warning).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      await readLive(port, "main");
      await readLog(port, null);
      await readPruned(port, null);
      await planPrune(port, { olderThan: 0 });
      await recordWrite(port, { branch: "main", mode: "append", document: newDocument("mine") }).catch(
        (error) => {
          expect(error).toBeInstanceOf(KnownDocumentError);
        },
      );
    }),
    { seed, numRuns: 300 },
  );
});
