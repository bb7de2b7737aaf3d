import { type LabelledHistory, text } from "./history.js";

const app = (edits: Record<number, string>) => ({ "src/app.ts": text("app", edits) });
const lib = (edits: Record<number, string>) => ({ "src/lib.ts": text("lib", edits) });

/** It cannot be known from what is here; never called stale. */
export const unknowable: LabelledHistory[] = [
  {
    name: "written before the first commit",
    label: { ancestry: "none" },
    why: "There was no commit to record.",
    build: (repo) => ({ repo, git: "none" }),
  },
  {
    name: "recorded as unknown",
    label: { ancestry: "unknown" },
    why: "The writer could not tell either.",
    build: (repo) => ({ repo, git: "unknown" }),
  },
  {
    name: "garbage instead of a commit",
    label: { ancestry: "unknown" },
    why: "It names no commit.",
    build: (repo) => ({ repo, git: "main @ yesterday's build" }),
  },
  {
    name: "no commit on the current branch yet",
    label: { ancestry: "unknown" },
    why: "There is no history to look in.",
    build(repo) {
      const c = repo.head();
      repo.git("checkout", "-q", "--orphan", "empty");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "an empty commit that was not merged",
    label: { ancestry: "unknown" },
    why: "There is no change to look for.",
    build(repo) {
      const c = repo.branch("topic").commit({}, "empty");
      repo.on("main").commit(lib({ 3: "three" }), "main goes on");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "an empty commit, reset to before it",
    label: { ancestry: "unknown" },
    why: "HEAD has all there was in it.",
    build(repo) {
      const c = repo.commit({}, "empty");
      repo.git("reset", "-q", "--hard", "HEAD~1");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "an empty commit beside an empty commit",
    label: { ancestry: "unknown" },
    why: "Two changes of nothing are alike, and prove nothing.",
    build(repo) {
      const c = repo.branch("topic").commit({}, "empty");
      repo.on("main").commit({}, "also empty");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "removed by gc",
    label: { ancestry: "unknown", note: /not here/ },
    why: "The object is gone, so is what it changed.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").git("branch", "-D", "topic");
      repo.git("reflog", "expire", "--expire=now", "--all");
      repo.git("gc", "-q", "--prune=now");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "made in another clone and never pushed",
    label: { ancestry: "unknown", note: /git fetch/ },
    why: "The object was never here.",
    build(repo) {
      const other = repo.clone();
      const c = other.commit(app({ 3: "three" }), "not pushed");
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "an id of a repository with another hash",
    label: { ancestry: "unknown" },
    why: "No object here can have such an id.",
    build: (repo) => ({ repo, git: `main @ ${"ab".repeat(32)}` }),
  },
  {
    name: "the id of a file",
    label: { ancestry: "unknown" },
    why: "It is no commit.",
    build: (repo) => ({ repo, git: `main @ ${repo.head("HEAD:src/app.ts")}` }),
  },
  {
    name: "an abbreviation of two commits",
    label: { ancestry: "unknown", note: /more than one/ },
    why: "Either could be meant.",
    build(repo) {
      const stream = Array.from(
        { length: 1500 },
        (_, at) => `commit refs/heads/many\ncommitter A <a@b> ${1_700_000_000 + at} +0000\ndata 1\nx\n`,
      ).join("\n");
      repo.run(["fast-import", "--quiet"], { input: `${stream}\n` });
      const seen = new Set<string>();
      const twice = repo
        .git("rev-list", "many")
        .split("\n")
        .find((oid) => seen.size === seen.add(oid.slice(0, 4)).size);
      return { repo, git: `many @ ${twice?.slice(0, 4)}` };
    },
  },
  {
    name: "shallow clone of one commit, an ancestor beyond it",
    label: { ancestry: "unknown", note: /unshallow/ },
    why: "The clone ends before it.",
    build(repo) {
      const c = repo.commit(app({ 3: "three" }), "topic");
      repo.commit(lib({ 3: "three" }), "on top");
      return { repo: repo.clone("--depth=1"), git: `main @ ${c}` };
    },
  },
  {
    name: "shallow clone of two commits, an ancestor beyond them",
    label: { ancestry: "unknown", note: /unshallow/ },
    why: "The clone ends before it.",
    build(repo) {
      const c = repo.commit(app({ 3: "three" }), "topic");
      repo.commit(lib({ 3: "three" }), "on top");
      repo.commit(lib({ 4: "four" }), "on top");
      return { repo: repo.clone("--depth=2"), git: `main @ ${c}` };
    },
  },
  {
    name: "shallow clone that has the commit by another branch alone",
    label: { ancestry: "unknown", note: /unshallow/ },
    why: "It is here and in truth an ancestor, but the link between is cut.",
    build(repo) {
      const c = repo.commit(app({ 3: "three" }), "topic");
      repo.git("branch", "old");
      for (const line of [3, 4, 5]) repo.commit(lib({ [line]: "more" }), `more ${line}`);
      return { repo: repo.clone("--depth=1", "--no-single-branch"), git: `main @ ${c}` };
    },
  },
  {
    name: "shallow clone cut between the fork and both tips",
    label: { ancestry: "unknown", note: /unshallow/ },
    why: "What main did in the part that is cut off cannot be seen.",
    build(repo) {
      repo.branch("topic").commit(app({ 3: "three" }), "one");
      const c = repo.commit(app({ 3: "three", 4: "four" }), "two");
      repo.on("main").git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      repo.commit(lib({ 4: "four" }), "later");
      return { repo: repo.clone("--depth=1", "--no-single-branch"), git: `topic @ ${c}` };
    },
  },
  {
    name: "partial clone without trees",
    label: { ancestry: "unknown", note: /partial clone/ },
    why: "Commits are here, what they change is not, and a read downloads nothing.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").commit(app({ 20: "twenty" }), "main goes on");
      repo.git("config", "uploadpack.allowFilter", "true");
      return { repo: repo.clone("--filter=tree:0", "--no-checkout"), git: `topic @ ${c}` };
    },
  },
  {
    name: "partial clone, main changed the same file among others",
    label: { ancestry: "unknown", note: /partial clone/ },
    why: "Whether main's larger change holds this one only the contents tell, which are not here.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo
        .on("main")
        .commit({ ...app({ 3: "three", 20: "twenty" }), ...lib({ 3: "three" }) }, "main goes on");
      repo.git("config", "uploadpack.allowFilter", "true");
      return { repo: repo.clone("--filter=blob:none", "--no-checkout"), git: `topic @ ${c}` };
    },
  },
  {
    name: "partial clone, main changed the same file otherwise",
    label: { ancestry: "unknown", note: /partial clone/ },
    why: "The contents that would tell are not here.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").commit(app({ 20: "twenty" }), "main goes on");
      repo.git("config", "uploadpack.allowFilter", "true");
      return { repo: repo.clone("--filter=blob:none", "--no-checkout"), git: `topic @ ${c}` };
    },
  },
  {
    name: "a merge commit whose branch was rebased with conflicts",
    label: { ancestry: "unknown", note: /merge/ },
    why: "A merge has no patch of its own, and its content was adapted.",
    build(repo) {
      repo.branch("topic").commit(app({ 3: "ours" }), "topic");
      repo.on("main").commit(lib({ 3: "three" }), "main goes on");
      repo.on("topic").git("merge", "-q", "main");
      const c = repo.head();
      repo.on("main").commit(app({ 3: "theirs" }), "main again");
      repo.on("topic").tryGit("rebase", "main");
      repo.resolve(app({ 3: "theirs and ours" }), "rebase");
      return { repo, git: `topic @ ${c}` };
    },
  },
  {
    name: "a graft file that cuts the history",
    label: { ancestry: "unknown", note: /graft/ },
    why: "The file makes the history other than recorded; whether to believe it is the user's to say.",
    build(repo) {
      const c = repo.commit(app({ 3: "three" }), "topic");
      const cut = repo.commit(app({ 4: "four" }), "start of the short history");
      repo.commit(app({ 5: "five" }), "on top");
      repo.put({ ".git/info/grafts": `${cut}\n` });
      return { repo, git: `main @ ${c}` };
    },
  },
  {
    name: "a parent of HEAD is missing",
    label: { ancestry: "unknown" },
    why: "The history is broken before it gets there.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main");
      const lost = repo.commit(lib({ 3: "three" }), "lost");
      repo.commit(lib({ 4: "four" }), "on top");
      repo.remove(`.git/objects/${lost.slice(0, 2)}/${lost.slice(2)}`);
      return { repo, git: `topic @ ${c}` };
    },
  },
];
