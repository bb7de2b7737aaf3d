// Repositories in the states that are measured. Large ones are made by git fast-import, with documents that the program
// itself formatted.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clean, git, handoff, repository, run } from "./place.mjs";

export const plain = () => repository();

/** Documents like the one that `write` makes, each with its own intent; `branchOf` names the branch of each. */
function documents(count, options = [], branchOf = () => "main") {
  const dir = repository();
  const made = JSON.parse(
    handoff(dir, "write", "-m", "intent 0000000", "--next", "go on", "--json", ...options),
  );
  const text = git(dir, "show", `${made.ref}:${made.path}`);
  return Array.from({ length: count }, (_, index) => {
    const own = text
      .replaceAll("0000000", String(index + 1).padStart(7, "0"))
      .replace("task_key: main\n", `task_key: ${branchOf(index)}\n`);
    const bytes = Buffer.from(`${own}\n`);
    const oid = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
    return { bytes, oid, name: `20260501T100000Z-intent-${index + 1}-${oid.slice(0, 7)}.md` };
  });
}

/** What the program writes into a commit. */
function messageOf(entries) {
  const event = entries.some(({ folder }) => folder === "closed") ? "close" : "write";
  const ids = entries.map(({ document }) => `Handoff-Id: ${document.name.replace(/\.md$/, "")}\n`);
  return `${event}: ${entries.length} handoffs\n\nHandoff-Event: ${event}\n${ids.join("")}`;
}

/** One commit a ref, each with its documents in their folders. */
function importLogs(dir, logs) {
  const parts = ["feature done\n"];
  for (const { ref, entries } of logs) {
    const message = messageOf(entries);
    parts.push(
      `commit ${ref}\ncommitter Ada <ada@example.com> 1777629600 +0000\ndata ${message.length}\n${message}M 100644 inline format\ndata 2\n1\n\n`,
    );
    for (const { folder, document } of entries)
      parts.push(
        `M 100644 inline ${folder}/${document.name}\ndata ${document.bytes.length}\n`,
        document.bytes,
        "\n",
      );
    parts.push("\n");
  }
  parts.push("done\n");
  run(dir, Buffer.concat(parts.map((part) => Buffer.from(part))), "git", "fast-import", "--quiet");
}

const writer = (index) => `w-${index.toString(16).padStart(6, "0")}`;

/** 20,000 packed refs of other branches. */
export function manyRefs() {
  const dir = repository();
  const made = JSON.parse(handoff(dir, "write", "-m", "elsewhere", "--json"));
  git(dir, "update-ref", `refs/handoff/other/${writer(0)}`, made.commit);
  const lines = Array.from(
    { length: 20_000 },
    (_, index) => `create refs/handoff-remotes/b${index}/${writer(index)}/origin ${made.commit}`,
  );
  clean(dir);
  run(dir, `${lines.join("\n")}\n`, "git", "update-ref", "--stdin");
  git(dir, "pack-refs", "--all");
  return dir;
}

export function allClosed() {
  const dir = repository();
  for (let index = 0; index < 5; index++) {
    handoff(dir, "write", "-m", `work ${index}`);
    handoff(dir, "close");
  }
  return dir;
}

/** The author's log says open for ever; a teammate's says closed. */
export function allClosedElsewhere() {
  const dir = repository();
  const made = documents(5);
  importLogs(dir, [
    {
      ref: `refs/handoff-remotes/main/${writer(1)}/origin`,
      entries: made.map((document) => ({ folder: "open", document })),
    },
    {
      ref: `refs/handoff-remotes/main/${writer(2)}/origin`,
      entries: made.map((document) => ({ folder: "closed", document })),
    },
  ]);
  return dir;
}

/** 200 sent refs that are still there, acknowledged in this clone's own log. */
export function ackedItems() {
  const dir = repository();
  const made = documents(200, ["--inbox", "--impact", "none", "--no-breaking"]);
  importLogs(
    dir,
    made.map((document, index) => ({
      ref: `refs/handoff/HEAD/${writer(index)}-${document.oid.slice(0, 7)}`,
      entries: [{ folder: "inbox", document }],
    })),
  );
  git(dir, "pack-refs", "--all");
  handoff(
    dir,
    "ack",
    ...made.map(({ oid }) => oid.slice(0, 12)).map((_, index) => made[index].name.replace(/\.md$/, "")),
  );
  return dir;
}

/** One open handoff with that many grep predicates. */
export function openWith(count) {
  const dir = repository();
  const rejections = Array.from({ length: count }, (_, index) => ({
    kind: "structural",
    claim: `ruled out ${index}`,
    anchor: `src/file${index % 10}.ts`,
    predicate: `grep -q 'function f${index}' src/file${index % 10}.ts`,
  }));
  for (let file = 0; file < 10; file++) {
    const lines = Array.from({ length: 200 }, (_, line) =>
      line % 20 === 0 ? `export function f${(line / 20) * 10 + file}() {}` : `// line ${line}`,
    );
    run(dir, "", "mkdir", "-p", "src");
    writeFileSync(join(dir, `src/file${file}.ts`), `${lines.join("\n")}\n`);
  }
  git(dir, "add", ".");
  git(dir, "commit", "-q", "-m", "code");
  run(
    dir,
    JSON.stringify({ intent: "go on", next: ["a", "b"], state: "half done", rejections }),
    "git-handoff",
    "write",
    "--from",
    "-",
  );
  return dir;
}

/** Branches with an open handoff of each writer. */
export function manyBranches(branches, writers) {
  const dir = repository();
  const branchOf = (index) => `b${Math.floor(index / writers)}`;
  const made = documents(branches * writers, [], branchOf);
  importLogs(
    dir,
    made.map((document, index) => ({
      ref:
        index % writers === 0
          ? `refs/handoff/${branchOf(index)}/${writer(0)}`
          : `refs/handoff-remotes/${branchOf(index)}/${writer(index % writers)}/origin`,
      entries: [{ folder: "open", document }],
    })),
  );
  git(dir, "pack-refs", "--all");
  return dir;
}

/** A log that holds that many handoffs, the last one open; `reset` takes later writes back. */
export function withLog(count) {
  const dir = repository();
  handoff(dir, "write", "-m", "first");
  const ref = git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/");
  clean(dir);
  importLogs(dir, [
    {
      ref,
      entries: documents(count).map((document, index) => ({
        folder: index + 1 === count ? "open" : "closed",
        document,
      })),
    },
  ]);
  git(dir, "gc", "-q");
  const tip = git(dir, "rev-parse", ref);
  return { dir, ref, reset: () => git(dir, "update-ref", ref, tip) };
}
