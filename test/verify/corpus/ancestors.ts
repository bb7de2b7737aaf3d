import { type LabelledHistory, text } from "./history.js";

/** The commit is in HEAD's history under its own id. */
export const ancestors: LabelledHistory[] = [
  {
    name: "nothing happened since",
    label: { ancestry: "ancestor", behind: 0 },
    why: "HEAD is the commit itself.",
    build(repo) {
      const c = repo.branch("topic").commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "nothing happened since, written on a dirty tree",
    label: { ancestry: "ancestor", behind: 0 },
    why: "HEAD is the commit; uncommitted files do not move it.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.put({ "src/app.ts": text("app", { 4: "four" }) });
      return { repo, git: `main @ ${c} (dirty)` };
    },
  },
  {
    name: "work went on",
    label: { ancestry: "ancestor", behind: 3 },
    why: "Three commits on top of it.",
    build(repo) {
      const c = repo.branch("topic").commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      for (const line of [5, 6, 7])
        repo.commit({ "src/lib.ts": text("lib", { [line]: "more" }) }, `more ${line}`);
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "fast-forward of main to the branch",
    label: { ancestry: "ancestor", behind: 1 },
    why: "main now has the branch's commits, ids unchanged; one came after.",
    build(repo) {
      const c = repo.branch("topic").commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.commit({ "src/lib.ts": text("lib", { 3: "three" }) }, "next");
      repo.on("main").git("merge", "-q", "--ff-only", "topic");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "merged with a merge commit",
    label: { ancestry: "ancestor", behind: 2 },
    why: "It is the merge's second parent; since: main's own commit and the merge.",
    build(repo) {
      const c = repo.branch("topic").commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.on("main").commit({ "src/lib.ts": text("lib", { 3: "three" }) }, "main goes on");
      repo.git("merge", "-q", "--no-ff", "topic");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "main merged into the branch",
    label: { ancestry: "ancestor", behind: 2 },
    why: "It is the merge's first parent.",
    build(repo) {
      const c = repo.branch("topic").commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.on("main").commit({ "src/lib.ts": text("lib", { 3: "three" }) }, "main goes on");
      repo.on("topic").git("merge", "-q", "main");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "merged with conflicts resolved",
    label: { ancestry: "ancestor", behind: 2 },
    why: "However the conflict was resolved, the commit is a parent of the merge.",
    build(repo) {
      const c = repo.branch("topic").commit({ "src/app.ts": text("app", { 3: "ours" }) }, "topic");
      repo.on("main").commit({ "src/app.ts": text("app", { 3: "theirs" }) }, "main goes on");
      repo.tryGit("merge", "topic");
      repo.resolve({ "src/app.ts": text("app", { 3: "both" }) }, "merge");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "merged by an octopus",
    label: { ancestry: "ancestor" },
    why: "One of three parents.",
    build(repo) {
      const c = repo.branch("one").commit({ "src/app.ts": text("app", { 3: "three" }) }, "one");
      repo
        .on("main")
        .branch("two")
        .commit({ "src/lib.ts": text("lib", { 3: "three" }) }, "two");
      repo
        .on("main")
        .branch("three")
        .commit({ "docs/guide.md": text("guide", { 3: "three" }) }, "three");
      repo.on("main").git("merge", "-q", "--no-ff", "one", "two", "three");
      return { repo, git: `one @ ${c}` };
    },
  },
  {
    name: "merged with strategy ours",
    label: { ancestry: "ancestor" },
    why: "Its content was discarded, but the merge takes it into the history: that is what an ancestor is.",
    build(repo) {
      const c = repo.branch("topic").commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.on("main").commit({ "src/lib.ts": text("lib", { 3: "three" }) }, "main goes on");
      repo.git("merge", "-q", "-s", "ours", "topic");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "reverted later",
    label: { ancestry: "ancestor", behind: 1 },
    why: "A revert is a commit on top; the history still has it.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.git("revert", "--no-edit", "HEAD");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "a merge commit was recorded and work went on",
    label: { ancestry: "ancestor", behind: 1 },
    why: "The merge is HEAD's parent.",
    build(repo) {
      repo.branch("topic").commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.on("main").commit({ "src/lib.ts": text("lib", { 3: "three" }) }, "main goes on");
      repo.git("merge", "-q", "topic");
      const c = repo.head();
      repo.commit({ "src/lib.ts": text("lib", { 9: "nine" }) }, "on top");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "branch merged and deleted",
    label: { ancestry: "ancestor" },
    why: "Deleting a name does not take commits out of main's history.",
    build(repo) {
      const c = repo.branch("topic").commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.on("main").git("merge", "-q", "--no-ff", "topic");
      repo.git("branch", "-D", "topic");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "abbreviated id of an ancestor",
    label: { ancestry: "ancestor", behind: 1 },
    why: "Seven digits that name one commit here, HEAD's parent.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.commit({ "src/app.ts": text("app", { 3: "three", 4: "four" }) }, "on top");
      return { repo, git: `main @ ${c.slice(0, 7)}` };
    },
  },
  {
    name: "a branch is called like the abbreviated id",
    label: { ancestry: "unknown" },
    why: "git takes the branch for the id, so the seven digits cannot be read as a commit with certainty.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.commit({ "src/lib.ts": text("lib", { 4: "four" }) }, "on top");
      repo.git("branch", c.slice(0, 7), "HEAD");
      return { repo, git: `main @ ${c.slice(0, 7)}` };
    },
  },
  {
    name: "two unrelated histories joined",
    label: { ancestry: "ancestor" },
    why: "The merge of unrelated histories has the other root's commit as a parent.",
    build(repo) {
      repo.git("checkout", "-q", "--orphan", "other");
      const c = repo.commit({ "other.txt": "other\n" }, "another root");
      repo.on("main").git("merge", "-q", "--allow-unrelated-histories", "other");
      repo.commit({ "src/lib.ts": text("lib", { 4: "four" }) }, "on top");
      return { repo, git: `other @ ${c}` };
    },
  },
  {
    name: "the root commit",
    label: { ancestry: "ancestor", behind: 2 },
    why: "Every commit of the branch comes after it.",
    build(repo) {
      const c = repo.head();
      repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "one");
      repo.commit({ "src/app.ts": text("app", { 4: "four" }) }, "two");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "an empty commit, still there",
    label: { ancestry: "ancestor", behind: 1 },
    why: "It changes nothing, but its id is in the history.",
    build(repo) {
      const c = repo.commit({}, "empty");
      repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "on top");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "criss-cross merges",
    label: { ancestry: "ancestor" },
    why: "Both sides were merged into each other; the commit is on one of them.",
    build(repo) {
      const c = repo.branch("topic").commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.on("main").commit({ "src/lib.ts": text("lib", { 3: "three" }) }, "main goes on");
      const m = repo.head();
      repo.git("merge", "-q", "topic");
      repo.on("topic").git("merge", "-q", m);
      repo.commit({ "docs/guide.md": text("guide", { 4: "four" }) }, "on top");
      repo.on("main").git("merge", "-q", "topic");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "later commits carry earlier dates",
    label: { ancestry: "ancestor", behind: 2 },
    why: "A clock that was wrong changes dates, not parents.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      for (const line of [5, 6]) {
        repo.put({ "src/lib.ts": text("lib", { [line]: "more" }) });
        repo.run(["commit", "-qam", `old ${line}`], {
          env: { GIT_COMMITTER_DATE: "2001-01-01T00:00:00Z", GIT_AUTHOR_DATE: "2001-01-01T00:00:00Z" },
        });
      }
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "HEAD is detached further on",
    label: { ancestry: "ancestor", behind: 1 },
    why: "What HEAD is called does not matter.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.commit({ "src/app.ts": text("app", { 4: "four" }) }, "on top");
      repo.git("checkout", "-q", "--detach");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "pull with rebase of own work onto a commit that was pushed",
    label: { ancestry: "ancestor", behind: 1 },
    why: "The recorded commit was upstream already; only the work on top was rewritten.",
    build(repo) {
      const other = repo.clone();
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "pushed by a teammate");
      other.commit({ "src/lib.ts": text("lib", { 3: "three" }) }, "own work");
      other.git("pull", "-q", "--rebase", "origin", "main");
      return { repo: other, git: `main @ ${c}` };
    },
  },
  {
    name: "seen from a linked worktree",
    label: { ancestry: "ancestor", behind: 1 },
    why: "The worktree's branch was made on top of it.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.git("branch", "side");
      const side = repo.worktree("side");
      side.commit({ "src/lib.ts": text("lib", { 4: "four" }) }, "on the side");
      return { repo: side, git: `main @ ${c}` };
    },
  },
  {
    name: "seen in a bare clone",
    label: { ancestry: "ancestor", behind: 1 },
    why: "A bare repository has the same commits.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.commit({ "src/app.ts": text("app", { 4: "four" }) }, "on top");
      return { repo: repo.clone("--bare"), git: `main @ ${c}` };
    },
  },
  {
    name: "shallow clone that reaches beyond it",
    label: { ancestry: "ancestor", behind: 1 },
    why: "Three commits were cloned; it is the second.",
    build(repo) {
      repo.commit({ "src/app.ts": text("app", { 2: "two" }) }, "before");
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.commit({ "src/app.ts": text("app", { 4: "four" }) }, "on top");
      return { repo: repo.clone("--depth=3"), git: `main @ ${c}` };
    },
  },
  {
    name: "shallow clone that ends at it",
    label: { ancestry: "ancestor", behind: 1 },
    why: "The clone has it and HEAD's link to it; only what is before it was cut.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.commit({ "src/app.ts": text("app", { 4: "four" }) }, "on top");
      return { repo: repo.clone("--depth=2"), git: `main @ ${c}` };
    },
  },
  {
    name: "partial clone without file contents",
    label: { ancestry: "ancestor", behind: 1 },
    why: "Such a clone has every commit.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.commit({ "src/app.ts": text("app", { 4: "four" }) }, "on top");
      repo.git("config", "uploadpack.allowFilter", "true");
      return { repo: repo.clone("--filter=blob:none", "--no-checkout"), git: `main @ ${c}` };
    },
  },
  {
    name: "older history cut off by a replacement",
    label: { ancestry: "ancestor", note: /replace/ },
    why: "The recorded parents lead to it; the replacement (git's own recipe to shorten a history) only hides that here.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "topic");
      repo.commit({ "src/app.ts": text("app", { 4: "four" }) }, "start of the short history");
      repo.git("replace", "--graft", "HEAD");
      repo.commit({ "src/app.ts": text("app", { 5: "five" }) }, "on top");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "older history attached by a replacement",
    label: { ancestry: "ancestor" },
    why: "The user attached the older history, and git shows it as HEAD's.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "old history");
      repo.git("checkout", "-q", "--orphan", "new");
      const root = repo.commit({}, "new history");
      repo.commit({ "src/lib.ts": text("lib", { 5: "five" }) }, "on top");
      repo.git("replace", "--graft", root, c);
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "older history attached by a graft file",
    label: { ancestry: "ancestor" },
    why: "The same by the older means.",
    build(repo) {
      const c = repo.commit({ "src/app.ts": text("app", { 3: "three" }) }, "old history");
      repo.git("checkout", "-q", "--orphan", "new");
      const root = repo.commit({}, "new history");
      repo.commit({ "src/lib.ts": text("lib", { 5: "five" }) }, "on top");
      repo.put({ ".git/info/grafts": `${root} ${c}\n` });
      return { repo, git: `main @ ${c}` };
    },
  },
];
