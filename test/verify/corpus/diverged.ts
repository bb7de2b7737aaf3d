import { type LabelledHistory, text } from "./history.js";

const app = (edits: Record<number, string>) => ({ "src/app.ts": text("app", edits) });
const lib = (edits: Record<number, string>) => ({ "src/lib.ts": text("lib", edits) });

/** The commit is here and its change is not in HEAD's history: stale. */
export const diverged: LabelledHistory[] = [
  {
    name: "a branch that was not merged, other files",
    label: { ancestry: "diverged" },
    why: "main knows nothing of it.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").commit(lib({ 3: "three" }), "main goes on");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "a branch that was not merged, main unchanged",
    label: { ancestry: "diverged" },
    why: "HEAD is what the branch left from.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "other lines of the same file",
    label: { ancestry: "diverged" },
    why: "main changed the file, but not so.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").commit(app({ 20: "twenty" }), "main goes on");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "the same line changed to something else",
    label: { ancestry: "diverged" },
    why: "Another author's answer to the same question is not this change.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "the one way" }), "topic");
      repo.on("main").commit(app({ 3: "the other way" }), "main goes on");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "the same subject, another change",
    label: { ancestry: "diverged" },
    why: "Subjects like wip are no proof.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "the one way" }), "wip");
      repo.on("main").commit(app({ 9: "something else" }), "wip");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "the same author date by a script, another change to the same file",
    label: { ancestry: "diverged" },
    why: "All commits carry one date; it tells nothing.",
    build(repo) {
      repo.frozen = true;
      repo.commit(lib({ 3: "three" }), "step one");
      const c = repo.branch("topic").commit(app({ 3: "three" }), "step two");
      repo.on("main").commit(app({ 20: "twenty" }), "step three");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "another change to the same file in the same second",
    label: { ancestry: "diverged" },
    why: "Two commits made by one author at once are two commits; neither was made from the other.",
    build(repo) {
      repo.frozen = true;
      const c = repo.branch("topic").commit(app({ 3: "three" }), "one");
      repo.on("main").commit(app({ 20: "twenty" }), "two");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "another change to the same file in the same second under the same subject",
    label: { ancestry: "diverged" },
    why: "The reflog says that main's was made as a commit of its own.",
    build(repo) {
      repo.frozen = true;
      const c = repo.branch("topic").commit(app({ 3: "three" }), "change");
      repo.on("main").commit(app({ 20: "twenty" }), "change");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "the same, seen in a clone without a reflog",
    label: { ancestry: "diverged" },
    why: "Main's commit was never committed again: its two dates are one.",
    build(repo) {
      repo.frozen = true;
      const c = repo.branch("topic").commit(app({ 3: "three" }), "change");
      repo.on("main").commit(app({ 20: "twenty" }), "change");
      return { repo: repo.clone(), git: `topic @ ${c}` };
    },
  },
  {
    name: "a later commit of the same second was picked",
    label: { ancestry: "diverged" },
    why: "A pick keeps the subject: what was picked is the other commit.",
    build(repo) {
      repo.frozen = true;
      const c = repo.branch("topic").commit(app({ 3: "three" }), "one");
      const next = repo.commit(app({ 3: "three", 20: "twenty" }), "two");
      repo.on("main").git("cherry-pick", next);
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "reset to before it",
    label: { ancestry: "diverged" },
    why: "It was thrown away.",
    build(repo) {
      const c = repo.commit(app({ 3: "three" }), "topic");
      repo.git("reset", "-q", "--hard", "HEAD~1");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "reset to before it, then other work on the same file",
    label: { ancestry: "diverged" },
    why: "What came instead is another change.",
    build(repo) {
      const c = repo.commit(app({ 3: "three" }), "topic");
      repo.git("reset", "-q", "--hard", "HEAD~1");
      repo.commit(app({ 15: "fifteen" }), "instead");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "dropped in an interactive rebase",
    label: { ancestry: "diverged" },
    why: "The commits around it were replayed, it was not.",
    build(repo) {
      repo.branch("topic").commit(lib({ 3: "three" }), "kept");
      const c = repo.commit(app({ 3: "three" }), "dropped");
      repo.commit({ "new.txt": "new\n" }, "kept too");
      repo.on("main").commit(lib({ 20: "twenty" }), "main goes on");
      repo.on("topic").rebaseList("main", "pick %1", "pick %3");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "dropped by a force-push, seen from another clone",
    label: { ancestry: "diverged" },
    why: "The teammate replaced it by other work.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      const other = repo.clone();
      repo.git("reset", "-q", "--hard", "main");
      repo.commit(lib({ 9: "nine" }), "instead");
      other.git("fetch", "-q", "origin");
      other.git("reset", "-q", "--hard", "origin/topic");
      return { repo: other, git: `topic @ ${c}` };
    },
  },
  {
    name: "branch deleted without a merge",
    label: { ancestry: "diverged" },
    why: "The commit is still in the object store, and nowhere in main.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").git("branch", "-D", "topic");
      repo.commit(lib({ 3: "three" }), "main goes on");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "a teammate's commit that was fetched but not merged",
    label: { ancestry: "diverged" },
    why: "It is on the tracking branch alone.",
    build(repo) {
      const other = repo.clone();
      const c = repo.commit(app({ 3: "three" }), "teammate");
      other.commit(lib({ 3: "three" }), "own");
      other.git("fetch", "-q", "origin");
      return { repo: other, git: `main @ ${c}` };
    },
  },
  {
    name: "an unrelated root",
    label: { ancestry: "diverged" },
    why: "Nothing is shared, neither history nor files.",
    build(repo) {
      repo.git("checkout", "-q", "--orphan", "pages");
      repo.git("rm", "-rfq", ".");
      const c = repo.commit({ "index.html": "<p>page\n" }, "pages");
      repo.on("main").commit(lib({ 3: "three" }), "main goes on");
      return { repo, git: `pages @ ${c}` };
    },
  },
  {
    name: "only the first commit of two was squash merged",
    label: { ancestry: "diverged" },
    why: "The recorded second one is not in it.",
    build(repo) {
      repo.branch("topic").commit(app({ 3: "three" }), "one");
      const c = repo.commit(lib({ 3: "three" }), "two");
      repo.on("main").git("merge", "-q", "--squash", "topic~1");
      repo.git("commit", "-q", "-m", "topic (#1)");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "only its neighbour was picked",
    label: { ancestry: "diverged" },
    why: "The picked commit is another one, on the same file.",
    build(repo) {
      const one = repo.branch("topic").commit(app({ 3: "three" }), "one");
      const c = repo.commit(app({ 3: "three", 20: "twenty" }), "two");
      repo.on("main").git("cherry-pick", one);
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "it takes back a commit of main, and main goes on",
    label: { ancestry: "diverged" },
    why: "The old content was in main before, but main never went back to it.",
    build(repo) {
      repo.commit(app({ 3: "three" }), "kept by main");
      repo.branch("topic").git("revert", "--no-edit", "HEAD");
      const c = repo.head();
      repo.on("main").commit(app({ 3: "three", 9: "nine" }), "main goes on");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "a change and its own revert on the branch",
    label: { ancestry: "diverged" },
    why: "Together they are nothing, but the recorded commit is a change that main does not have.",
    build(repo) {
      repo.branch("topic").commit(app({ 3: "three" }), "one");
      repo.git("revert", "--no-edit", "HEAD");
      const c = repo.head();
      repo.on("main").commit(lib({ 9: "nine" }), "main goes on");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "a merge commit, reset to before it",
    label: { ancestry: "diverged" },
    why: "HEAD is one of its ancestors: nothing of it can be there.",
    build(repo) {
      repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").git("merge", "-q", "--no-ff", "topic");
      const c = repo.head();
      repo.git("reset", "-q", "--hard", "HEAD~1");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "a change of mode, and main changed the file",
    label: { ancestry: "diverged" },
    why: "The content was touched, the mode was not.",
    build(repo) {
      const c = repo.branch("topic").executable("src/app.ts").commit({}, "executable");
      repo.on("main").commit(app({ 3: "three" }), "main goes on");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "white space alone, changed otherwise on main",
    label: { ancestry: "diverged" },
    why: "Where indentation is the change, another indentation is another change.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "    app line number 3" }), "indent");
      repo.on("main").commit(app({ 3: "\tapp line number 3" }), "indent otherwise");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "a binary file changed to other bytes",
    label: { ancestry: "diverged" },
    why: "A patch shows no bytes, but they differ.",
    build(repo) {
      const c = repo.branch("topic").commit({ "logo.bin": "\0\x01\x02\x03" }, "logo");
      repo.on("main").commit({ "logo.bin": "\0\x09\x09\x09" }, "logo");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "deleted here, changed there",
    label: { ancestry: "diverged" },
    why: "main still has the file.",
    build(repo) {
      repo.branch("topic").git("rm", "-q", "src/lib.ts");
      const c = repo.commit({}, "delete");
      repo.on("main").commit(lib({ 3: "three" }), "main goes on");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "abbreviated id of a commit that was not merged",
    label: { ancestry: "diverged" },
    why: "Seven digits that name one commit here; main does not have its change.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").commit(lib({ 3: "three" }), "main goes on");
      return { repo, git: `topic @ ${c.slice(0, 7)}` };
    },
  },
  {
    name: "a short line that main added elsewhere in the file",
    label: { ancestry: "diverged" },
    why: "A brace that both added proves nothing.",
    build(repo) {
      const c = repo.branch("topic").commit({ "src/app.ts": `${text("app")}}\n` }, "brace");
      repo.on("main").commit({ "src/app.ts": `${text("app")}}\nand so on, for a good while\n` }, "more");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "squash merge with conflicts and a message of one's own",
    label: { ancestry: "diverged" },
    why: "Neither id, content, author date nor message of the commit is there: its change, as it was, is not in the history.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "ours" }), "topic");
      repo.on("main").commit(app({ 3: "theirs" }), "main goes on");
      repo.tryGit("merge", "--squash", "topic");
      repo.put(app({ 3: "theirs and ours" })).git("commit", "-q", "-a", "-m", "Rework");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "shallow clone that reaches beyond the fork",
    label: { ancestry: "diverged" },
    why: "Both sides are complete down to where they part, so nothing hidden can hold it.",
    build(repo) {
      repo.commit(lib({ 3: "three" }), "before");
      repo.commit(lib({ 4: "four" }), "before");
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").commit(lib({ 9: "nine" }), "main goes on");
      return { repo: repo.clone("--depth=3", "--no-single-branch"), git: `topic @ ${c}` };
    },
  },
  {
    name: "partial clone, other files",
    label: { ancestry: "diverged" },
    why: "main touched none of its files, which trees alone show.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").commit(lib({ 3: "three" }), "main goes on");
      repo.git("config", "uploadpack.allowFilter", "true");
      return { repo: repo.clone("--filter=blob:none", "--no-checkout"), git: `topic @ ${c}` };
    },
  },
];
