import { appendFileSync, chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { elsewhereEnvironment, safeEnvironment, userEnvironment } from "../../src/git/environment.js";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { withoutCredentials } from "../../src/git/url.js";
import { git, makeRepo, put } from "../support/repo.js";
import { snapshot } from "../support/tree.js";

const outer = {
  PATH: "/bin",
  GIT_DIR: "/r/.git",
  GIT_INDEX_FILE: "/r/.git/index",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_DATE: "2001-01-01",
  GIT_COMMITTER_DATE: "2001-01-01",
  GIT_SSH_COMMAND: "ssh -v",
  GIT_ASKPASS: "ask",
  GIT_CONFIG_COUNT: "0",
  GIT_CONFIG_PARAMETERS: "'a.b=c'",
  GIT_EXTERNAL_DIFF: "evil",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_NAMESPACE: "n",
  GIT_TRACE: "1",
  LC_ALL: "de_DE.UTF-8",
};

describe("the environment of git", () => {
  it("for the user keeps place, config, ssh and identity; drops dates and what changes meanings", () => {
    const env = userEnvironment(outer);
    for (const key of [
      "PATH",
      "GIT_DIR",
      "GIT_AUTHOR_NAME",
      "GIT_SSH_COMMAND",
      "GIT_ASKPASS",
      "GIT_CONFIG_PARAMETERS",
    ]) {
      expect(env, key).toHaveProperty(key);
    }
    for (const key of [
      "GIT_AUTHOR_DATE",
      "GIT_COMMITTER_DATE",
      "GIT_EXTERNAL_DIFF",
      "GIT_LITERAL_PATHSPECS",
      "GIT_NAMESPACE",
    ]) {
      expect(env, key).not.toHaveProperty(key);
    }
    expect(env.LC_ALL).toBe("C.UTF-8");
  });

  it("for another repository also drops the place", () => {
    const env = elsewhereEnvironment(outer);
    expect(Object.keys(env).filter((key) => key === "GIT_DIR" || key === "GIT_INDEX_FILE")).toEqual([]);
    expect(env.GIT_SSH_COMMAND).toBe("ssh -v");
  });

  it("for reading holds nothing of git but the place and the bans", () => {
    const info = {
      gitDir: "/x/.git",
      commonDir: "/x/.git",
      workTree: "/x",
      objectFormat: "sha1" as const,
      refFormat: "files" as const,
      shallow: false,
      partial: false,
    };
    const env = safeEnvironment({ ...outer, GIT_WORK_TREE: "/evil", GIT_CONFIG_GLOBAL: "/dev/null" }, info);
    expect(Object.fromEntries(Object.entries(env).filter(([key]) => key.startsWith("GIT_")))).toEqual({
      GIT_ALLOW_PROTOCOL: "none",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_DIR: "/x/.git",
      GIT_LITERAL_PATHSPECS: "1",
      GIT_NO_LAZY_FETCH: "1",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      GIT_WORK_TREE: "/x",
    });
    const bare = safeEnvironment({ GIT_WORK_TREE: "/evil" }, { ...info, workTree: null });
    expect(bare).not.toHaveProperty("GIT_WORK_TREE");
  });
});

it("runs nothing a hostile configuration names, and writes nothing", async () => {
  const dir = makeRepo();
  const ran = join(dir, ".git/ran");
  const evil = join(dir, ".git/evil");
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >>'${ran}'\ncat\n`);
  chmodSync(evil, 0o755);
  for (const hook of ["reference-transaction", "post-index-change", "fsmonitor-watchman"]) {
    writeFileSync(join(dir, ".git/hooks", hook), `#!/bin/sh\n'${evil}' ${hook}\n`);
    chmodSync(join(dir, ".git/hooks", hook), 0o755);
  }
  const fsmonitor = `${evil} fsmonitor`;
  appendFileSync(
    join(dir, ".git/config"),
    `[core]\n\tfsmonitor = ${fsmonitor}\n\tpager = ${evil}\n\tsplitIndex = true\n[diff]\n\texternal = ${evil}\n[color]\n\tui = always\n[status]\n\tsubmoduleSummary = true\n[pager]\n\tstatus = ${evil}\n\tfor-each-ref = ${evil}\n`,
  );
  put(dir, "src/parser.ts", "changed, same length or not\n");
  const before = snapshot(join(dir, ".git"));
  const repository = await Repository.open(dir, process.env, execaGit());
  expect(await repository.status()).toEqual({ dirty: true, files: ["src/parser.ts"] });
  await repository.head();
  await repository.branches();
  await repository.resolve("main");
  await repository.remotes();
  await repository.identity();
  const port = repository.port();
  await port.refs(["refs/heads/*"]);
  await port.read([git(dir, "-c", "core.fsmonitor=false", "rev-parse", "HEAD")]);
  expect(existsSync(ran)).toBe(false);
  expect(snapshot(join(dir, ".git"))).toEqual(before);
});

it.each([
  ["https://ada:s3cret@host.example/a/b.git", "https://host.example/a/b.git"],
  ["https://TOKEN@host.example/a.git", "https://host.example/a.git"],
  ["https://a:b@c@host.example/a.git", "https://host.example/a.git"],
  ["https://host.example/a.git?private_token=x#y", "https://host.example/a.git"],
  ["ssh://git:pw@host.example:22/a.git", "ssh://git@host.example:22/a.git"],
  ["ssh://git@host.example/a.git", "ssh://git@host.example/a.git"],
  ["git@host.example:a/b.git", "git@host.example:a/b.git"],
  ["/srv/git/a@b.git", "/srv/git/a@b.git"],
  ["file:///srv/a.git", "file:///srv/a.git"],
  ["codecommit::https://u:p@host.example/a", "codecommit::https://host.example/a"],
  ["HTTPS://u:p@host.example/@a", "HTTPS://host.example/@a"],
])("shows %s as %s", (url, shown) => {
  expect(withoutCredentials(url)).toBe(shown);
});
