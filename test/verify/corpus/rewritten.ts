import { type History, type LabelledHistory, text } from "./history.js";

const app = (edits: Record<number, string>) => ({ "src/app.ts": text("app", edits) });
const lib = (edits: Record<number, string>) => ({ "src/lib.ts": text("lib", edits) });
const guide = (edits: Record<number, string>) => ({ "docs/guide.md": text("guide", edits) });

/** Three commits on `topic`: two lines of app, then one of lib. */
function threeCommits(repo: History): [string, string, string] {
  repo.branch("topic");
  const one = repo.commit(app({ 3: "first change of the application" }), "one");
  const two = repo.commit(app({ 3: "first change of the application", 20: "second change of it" }), "two");
  const three = repo.commit(lib({ 7: "and the library follows" }), "three");
  return [one, two, three];
}

function mainGoesOn(repo: History): string {
  const before = repo.git("symbolic-ref", "--short", "HEAD");
  const oid = repo.on("main").commit(guide({ 10: "main goes on" }), "main goes on");
  repo.on(before);
  return oid;
}

/** The commit's change is in HEAD's history, under another id. */
export const rewritten: LabelledHistory[] = [
  {
    name: "rebase of one commit",
    label: { ancestry: "rewritten" },
    why: "The same patch was made again on main's new tip.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      mainGoesOn(repo);
      repo.git("rebase", "-q", "main");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase of three commits, the last recorded",
    label: { ancestry: "rewritten" },
    why: "Each was made again; the last is the tip.",
    build(repo) {
      const [, , c] = threeCommits(repo);
      mainGoesOn(repo);
      repo.git("rebase", "-q", "main");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase of three commits, the second recorded",
    label: { ancestry: "rewritten" },
    why: "The second of the new commits carries its patch.",
    build(repo) {
      const [, c] = threeCommits(repo);
      mainGoesOn(repo);
      repo.git("rebase", "-q", "main");
      return { repo, git: `topic @ ${c}`, as: repo.head("HEAD~1") };
    },
  },
  {
    name: "rebase with a conflict",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "The same commit with its author and date, its content adapted by hand.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "ours" }), "topic");
      repo.on("main").commit(app({ 3: "theirs" }), "main goes on");
      repo.on("topic").tryGit("rebase", "main");
      repo.resolve(app({ 3: "theirs and ours" }), "rebase");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase of two commits with a conflict in the first, the second recorded",
    label: { ancestry: "rewritten" },
    why: "The second was replayed unchanged.",
    build(repo) {
      repo.branch("topic").commit(app({ 3: "ours" }), "one");
      const c = repo.commit(lib({ 8: "eight" }), "two");
      repo.on("main").commit(app({ 3: "theirs" }), "main goes on");
      repo.on("topic").tryGit("rebase", "main");
      repo.resolve(app({ 3: "theirs and ours" }), "rebase");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase with a conflict that was committed by hand",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "A plain commit in the middle of a rebase loses author date and all; this clone's reflog shows that it stands for the commit of that subject.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "ours" }), "topic");
      repo.on("main").commit(app({ 3: "theirs" }), "main goes on");
      repo.on("topic").tryGit("rebase", "main");
      repo.put(app({ 3: "theirs and ours" })).git("commit", "-q", "-a", "-m", "topic");
      repo.git("rebase", "--continue");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase across a file that main renamed",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "git replayed the commit on the file's new name: same author, date and subject, another path.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").git("mv", "src/app.ts", "src/main.ts");
      repo.commit({}, "rename");
      repo.on("topic").git("rebase", "-q", "main");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase --onto another branch",
    label: { ancestry: "rewritten" },
    why: "The second commit was carried to main alone, unchanged.",
    build(repo) {
      const [one, two] = threeCommits(repo);
      mainGoesOn(repo);
      repo.git("rebase", "-q", "--onto", "main", one, two);
      return { repo, git: `topic @ ${two}`, as: repo.head() };
    },
  },
  {
    name: "rebase, then merged with a merge commit",
    label: { ancestry: "rewritten" },
    why: "The rebased commit is in main's history by the merge.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      mainGoesOn(repo);
      repo.git("rebase", "-q", "main");
      const as = repo.head();
      repo.on("main").commit(lib({ 3: "three" }), "main again");
      repo.git("merge", "-q", "--no-ff", "topic");
      return { repo, git: `topic @ ${c}`, as };
    },
  },
  {
    name: "rebase that drops a merge, the merge recorded",
    label: { ancestry: "rewritten" },
    why: "The merge added nothing of its own; the branch's work it stood for was replayed.",
    build(repo) {
      repo.branch("topic").commit(app({ 3: "three" }), "topic");
      mainGoesOn(repo);
      repo.git("merge", "-q", "main");
      const c = repo.head();
      repo.on("main").commit(lib({ 3: "three" }), "main again");
      repo.on("topic").git("rebase", "-q", "main");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase that corrects trailing white space",
    label: { ancestry: "rewritten", note: /white space/ },
    why: "The same lines but for a blank at an end.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three with a blank at the end  " }), "topic");
      mainGoesOn(repo);
      repo.git("rebase", "-q", "--whitespace=fix", "main");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "amend of the message",
    label: { ancestry: "rewritten" },
    why: "The content is the same.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topc");
      repo.git("commit", "-q", "--amend", "-m", "topic");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "amend of the message with a new author date",
    label: { ancestry: "rewritten" },
    why: "The content is the same, whatever the date.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.git("commit", "-q", "--amend", "--reset-author", "-m", "topic again");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "amend of the content",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "The same commit by author and date, with other content.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.put(app({ 3: "three, better" })).git("commit", "-q", "-a", "--amend", "--no-edit");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "amend of content and message",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "An amend keeps author and author date.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.put(app({ 3: "three, better" })).git("commit", "-q", "-a", "--amend", "-m", "topic, better");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "amend that adds a file",
    label: { ancestry: "rewritten" },
    why: "The change itself is in the amended commit as it was; another file came along.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.put({ "forgotten.txt": "forgotten\n" }).git("add", "-A");
      repo.git("commit", "-q", "--amend", "--no-edit");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "amend, then more work",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "The amended commit is HEAD's parent.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.put(app({ 3: "three, better" })).git("commit", "-q", "-a", "--amend", "--no-edit");
      const as = repo.head();
      repo.commit(app({ 3: "three, better", 4: "four" }), "more");
      return { repo, git: `topic @ ${c}`, as };
    },
  },
  {
    name: "amend of content and message within the second of the commit before",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "Dates tell nothing, but this clone's own reflog says that the one was amended into the other.",
    build(repo) {
      repo.frozen = true;
      repo.commit(lib({ 3: "three" }), "before");
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.put(app({ 3: "three, better" })).git("commit", "-q", "-a", "--amend", "-m", "topic, better");
      repo.put(app({ 3: "three, best" })).git("commit", "-q", "-a", "--amend", "-m", "topic, best");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "amend of the content with a new author date",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "Nothing in the commit tells, but this clone's own reflog does.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.put(app({ 3: "better" })).git("commit", "-q", "-a", "--amend", "--reset-author", "-m", "better");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase with a conflict within one second",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "The reflog says that the commit of this author, date and subject was made by a rebase.",
    build(repo) {
      repo.frozen = true;
      const c = repo.branch("topic").commit(app({ 3: "ours" }), "topic");
      repo.on("main").commit(app({ 3: "theirs" }), "main goes on");
      repo.on("topic").tryGit("rebase", "main");
      repo.resolve(app({ 3: "theirs and ours" }), "rebase");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "commits of a script with one date, the last amended",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "Dates tell nothing here, but it is the one commit of this subject on this file.",
    build(repo) {
      repo.branch("topic").frozen = true;
      repo.commit(lib({ 3: "three" }), "step one");
      const c = repo.commit(app({ 3: "three" }), "step two");
      repo.put(app({ 3: "three, better" })).git("commit", "-q", "-a", "--amend", "--no-edit");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "two commits in another order",
    label: { ancestry: "rewritten" },
    why: "Both patches were replayed; the second is now the first.",
    build(repo) {
      repo.branch("topic").commit(app({ 3: "three" }), "one");
      const c = repo.commit(lib({ 3: "three" }), "two");
      repo.rebaseList("main", "pick %2", "pick %1");
      return { repo, git: `topic @ ${c}`, as: repo.head("HEAD~1") };
    },
  },
  {
    name: "another commit dropped",
    label: { ancestry: "rewritten" },
    why: "The one before it was dropped; its own patch was replayed.",
    build(repo) {
      repo.branch("topic").commit(lib({ 3: "three" }), "dropped");
      const c = repo.commit(app({ 3: "three" }), "kept");
      repo.rebaseList("main", "pick %2");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "a fixup melted into it",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "It was replayed with the fixup's content; author and date are its own.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.commit(app({ 3: "three corrected" }), "fixup! topic");
      repo.rebaseList("main", "pick %1", "fixup %2");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "a fixup melted into an earlier commit, the fixup recorded",
    label: { ancestry: "rewritten" },
    why: "With the last replayed commit every file is as the fixup left it.",
    build(repo) {
      repo.branch("topic").commit(app({ 3: "three" }), "one");
      repo.commit(lib({ 3: "three" }), "two");
      const c = repo.commit(app({ 3: "three", 4: "four" }), "fixup! one");
      repo.rebaseList("main", "pick %1", "fixup %3", "pick %2");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "three commits squashed in an interactive rebase",
    label: { ancestry: "rewritten" },
    why: "The one commit is what the three did together.",
    build(repo) {
      const [, , c] = threeCommits(repo);
      repo.rebaseList("main", "pick %1", "fixup %2", "fixup %3");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "a commit split in two",
    label: { ancestry: "rewritten" },
    why: "With the second half everything it did is there.",
    build(repo) {
      const c = repo.branch("topic").commit({ ...app({ 3: "three" }), ...lib({ 3: "three" }) }, "both");
      repo.git("reset", "-q", "--soft", "HEAD~1");
      repo.git("commit", "-q", "-m", "half", "--", "src/app.ts");
      repo.git("commit", "-q", "-a", "-m", "other half");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "squash merge of one commit",
    label: { ancestry: "rewritten" },
    why: "The squash has the same patch.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      repo.on("main").git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "squash merge of three commits",
    label: { ancestry: "rewritten" },
    why: "The squash is what the three did together.",
    build(repo) {
      const [, , c] = threeCommits(repo);
      repo.on("main").git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "squash merge of three commits onto a main that went on",
    label: { ancestry: "rewritten" },
    why: "main changed another file; the squash is the same change on top.",
    build(repo) {
      const [, , c] = threeCommits(repo);
      mainGoesOn(repo);
      repo.on("main").git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "squash merge onto a main that changed another line of the same file",
    label: { ancestry: "rewritten" },
    why: "The patch is the same although the files are not.",
    build(repo) {
      const [, , c] = threeCommits(repo);
      repo.on("main").commit(app({ 11: "main was here" }), "main goes on");
      repo.git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "squash merge onto a main that changed the lines around it",
    label: { ancestry: "rewritten" },
    why: "The same edit between other neighbours: git merged it without a conflict.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "a change of the application that tells" }), "topic");
      repo.on("main").commit(app({ 1: "main was here", 5: "and here" }), "main goes on");
      repo.git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "squash merge with later commits on top in other files",
    label: { ancestry: "rewritten" },
    why: "The squash stays in the history.",
    build(repo) {
      const [, , c] = threeCommits(repo);
      repo.on("main").git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      const as = repo.head();
      repo.commit(guide({ 4: "four" }), "later");
      repo.commit({ "new.txt": "new\n" }, "later still");
      return { repo, git: `topic @ ${c}`, as };
    },
  },
  {
    name: "squash merge with later commits on top in the same lines",
    label: { ancestry: "rewritten" },
    why: "What came later does not take the squash out of the history.",
    build(repo) {
      const [, , c] = threeCommits(repo);
      repo.on("main").git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      const as = repo.head();
      repo.commit(app({ 3: "changed again on main" }), "later");
      return { repo, git: `topic @ ${c}`, as };
    },
  },
  {
    name: "squash merge of a branch that went on after the handoff, in other lines",
    label: { ancestry: "rewritten" },
    why: "The squash has every edit of the recorded commit, and more.",
    build(repo) {
      const [, c] = threeCommits(repo);
      repo.commit(
        app({ 3: "first change of the application", 20: "second change of it", 27: "and a last one" }),
        "four",
      );
      mainGoesOn(repo);
      repo.on("main").git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "squash merge of a branch that went on after the handoff, in other files",
    label: { ancestry: "rewritten" },
    why: "Its files are in the squash as it left them.",
    build(repo) {
      const [, c] = threeCommits(repo);
      repo.on("main").git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "squash merge with conflicts, with the message git proposes",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "The content was adapted by hand, but the message names the commit.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "ours" }), "topic");
      repo.on("main").commit(app({ 3: "theirs" }), "main goes on");
      repo.tryGit("merge", "--squash", "topic");
      repo.put(app({ 3: "theirs and ours" })).git("commit", "-q", "-a", "--no-edit");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "squash merge with an empty commit at the tip",
    label: { ancestry: "rewritten" },
    why: "The tip changes nothing, but what the branch did since it left main is in the squash.",
    build(repo) {
      threeCommits(repo);
      const c = repo.commit({}, "run the checks again");
      repo.on("main").git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "topic (#1)");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "cherry-pick onto main",
    label: { ancestry: "rewritten" },
    why: "The same patch on main.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      mainGoesOn(repo);
      repo.on("main").git("cherry-pick", c);
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "cherry-pick -x with a conflict and a new date",
    label: { ancestry: "rewritten", note: /content differs/ },
    why: "Content and date differ, but the message says where it was picked from.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "ours" }), "topic");
      repo.on("main").commit(app({ 3: "theirs" }), "main goes on");
      repo.tryGit("cherry-pick", "-x", c);
      repo.resolve(app({ 3: "theirs and ours" }), "cherry-pick");
      repo.git("commit", "-q", "--amend", "--reset-author", "--no-edit");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "cherry-pick that was reverted later",
    label: { ancestry: "rewritten", note: /reverted later/ },
    why: "The pick is still in the history; the reader is told of the revert.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      mainGoesOn(repo);
      repo.on("main").git("cherry-pick", c);
      const as = repo.head();
      repo.git("revert", "--no-edit", "HEAD");
      return { repo, git: `topic @ ${c}`, as };
    },
  },
  {
    name: "mailed as a patch and applied",
    label: { ancestry: "rewritten" },
    why: "format-patch and am carry the patch.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      const mail = repo.git("format-patch", "--stdout", "-1");
      mainGoesOn(repo);
      repo.on("main").run(["am", "-q"], { input: `${mail}\n` });
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "force-push of a rebased branch, seen from another clone",
    label: { ancestry: "rewritten" },
    why: "The clone still has the old commit and now stands on the rebased one.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      const other = repo.clone();
      mainGoesOn(repo);
      repo.git("rebase", "-q", "main");
      other.git("fetch", "-q", "origin");
      other.git("reset", "-q", "--hard", "origin/topic");
      return { repo: other, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "e-mail address changed in the whole history",
    label: { ancestry: "rewritten" },
    why: "Every commit has another id and the same content.",
    build(repo) {
      const c = repo.commit(app({ 3: "three" }), "topic");
      repo.commit(lib({ 3: "three" }), "on top");
      repo.run(["filter-branch", "-f", "--env-filter", "GIT_AUTHOR_EMAIL=new@example.com", "HEAD"], {
        env: { FILTER_BRANCH_SQUELCH_WARNING: "1" },
      });
      return { repo, git: `main @ ${c}`, as: repo.head("HEAD~1") };
    },
  },
  {
    name: "rebase of a binary file",
    label: { ancestry: "rewritten" },
    why: "The same old and new bytes.",
    build(repo) {
      const c = repo.branch("topic").commit({ "logo.bin": "\0\x01\x02\x03" }, "logo");
      mainGoesOn(repo);
      repo.git("rebase", "-q", "main");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "squash merge of two commits to a binary file",
    label: { ancestry: "rewritten" },
    why: "main ends with the bytes the branch ended with.",
    build(repo) {
      repo.branch("topic").commit({ "logo.bin": "\0\x01\x02\x03" }, "logo");
      const c = repo.commit({ "logo.bin": "\0\x01\x02\x03\x04" }, "logo again");
      repo.on("main").git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "logo (#1)");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase of a change of mode",
    label: { ancestry: "rewritten" },
    why: "The file was made executable again on top of main.",
    build(repo) {
      const c = repo.branch("topic").executable("src/app.ts").commit({}, "executable");
      mainGoesOn(repo);
      repo.git("rebase", "-q", "main");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase of a rename",
    label: { ancestry: "rewritten" },
    why: "The same deletion and the same new file.",
    build(repo) {
      repo.branch("topic").git("mv", "src/app.ts", "src/main.ts");
      const c = repo.commit({}, "rename");
      mainGoesOn(repo);
      repo.git("rebase", "-q", "main");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "cherry-pick of a deletion",
    label: { ancestry: "rewritten" },
    why: "The same file was deleted with the same content.",
    build(repo) {
      repo.branch("topic").git("rm", "-q", "src/lib.ts");
      const c = repo.commit({}, "delete");
      mainGoesOn(repo);
      repo.on("main").git("cherry-pick", c);
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebase of a file with a name that is not ASCII",
    label: { ancestry: "rewritten" },
    why: "Names are bytes; the patch is the same.",
    build(repo) {
      const name = Buffer.from('docs/日本 "語".md', "utf8").toString("utf8");
      const c = repo.branch("topic").commit({ [name]: text("name") }, "name");
      repo.commit({ [name]: text("name", { 3: "three" }) }, "then more");
      repo.on("main").commit(lib({ 3: "three" }), "main");
      repo.git("merge", "-q", "--squash", c);
      repo.git("commit", "-q", "-m", "name (#1)");
      return { repo, git: `topic @ ${c}`, as: repo.head() };
    },
  },
  {
    name: "rebased in a shallow clone that reaches far enough",
    label: { ancestry: "rewritten" },
    why: "Both commits and what they stand on are in the clone.",
    build(repo) {
      repo.commit(lib({ 3: "three" }), "before");
      repo.commit(lib({ 4: "four" }), "before");
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      mainGoesOn(repo);
      const other = repo.clone("--depth=3", "--no-single-branch");
      other.git("rebase", "-q", "origin/main");
      return { repo: other, git: `topic @ ${c}`, as: other.head() };
    },
  },
  {
    name: "picked in a partial clone",
    label: { ancestry: "rewritten" },
    why: "Commits and trees are there, and main's file is the very blob of the branch's.",
    build(repo) {
      const c = repo.branch("topic").commit(app({ 3: "three" }), "topic");
      mainGoesOn(repo);
      repo.on("main").git("cherry-pick", c);
      const as = repo.head();
      repo.git("config", "uploadpack.allowFilter", "true");
      return {
        repo: repo.clone("--filter=blob:none", "--no-checkout", "--no-local"),
        git: `topic @ ${c}`,
        as,
      };
    },
  },
];
