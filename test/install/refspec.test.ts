import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { makeClone } from "./support.js";

const REFSPEC = "+refs/handoff/*:refs/handoff-remotes/*/origin";
const config = (dir: string) => readFileSync(join(dir, ".git/config"), "latin1");
const lines = (dir: string, remote = "origin") =>
  git(dir, "config", "--get-all", `remote.${remote}.fetch`).split("\n");

/** A remote that has one handoff ref. */
function withHandoffRef(dir: string): string {
  const origin = git(dir, "config", "remote.origin.url");
  git(origin, "update-ref", "refs/handoff/main/ada-111111", "HEAD");
  return git(origin, "rev-parse", "HEAD");
}

describe("fetch refspec", () => {
  it("a plain fetch and a pull bring handoffs into the tracking namespace", () => {
    const dir = makeClone();
    const oid = withHandoffRef(dir);
    expect(handoff(dir, ["install"]).stdout).toContain(REFSPEC);
    git(dir, "pull", "-q");
    expect(git(dir, "rev-parse", "refs/handoff-remotes/main/ada-111111/origin")).toBe(oid);
    git(dir, "fetch", "-q", "--prune");
    expect(git(dir, "rev-parse", "refs/handoff-remotes/main/ada-111111/origin")).toBe(oid);
  });

  it("every remote gets its own, a slash in the name as %2F", () => {
    const dir = makeClone();
    git(dir, "remote", "add", "team/x", git(dir, "config", "remote.origin.url"));
    withHandoffRef(dir);
    handoff(dir, ["install"]);
    git(dir, "fetch", "-q", "team/x");
    expect(git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff-remotes/")).toBe(
      "refs/handoff-remotes/main/ada-111111/team%2Fx",
    );
  });

  it("--no-fetch leaves the remotes alone", () => {
    const dir = makeClone();
    handoff(dir, ["install", "--no-fetch"]);
    expect(lines(dir)).toEqual(["+refs/heads/*:refs/remotes/origin/*"]);
  });

  it("a line that was there before stays after uninstall", () => {
    const dir = makeClone();
    git(dir, "config", "--add", "remote.origin.fetch", REFSPEC);
    const before = config(dir);
    const install = JSON.parse(handoff(dir, ["install", "--json"]).stdout) as { fetch: { state: string }[] };
    expect(install.fetch[0]?.state).toBe("kept");
    handoff(dir, ["install"]);
    handoff(dir, ["uninstall"]);
    expect(config(dir)).toBe(before);
  });

  it("a mirror is left alone and named", () => {
    const dir = join(tempDir("mirror"), "m");
    git(tempDir(), "clone", "-q", "--mirror", makeRepo(), dir);
    const result = handoff(dir, ["install"]);
    expect(result.stdout).toContain("mirror");
    expect(lines(dir)).toEqual(["+refs/*:refs/*"]);
  });

  it("a renamed remote: install again gives it its own, uninstall leaves nothing", () => {
    const dir = makeClone();
    handoff(dir, ["install"]);
    git(dir, "remote", "rename", "origin", "upstream");
    expect(handoff(dir, ["doctor"]).stdout).toContain("was it renamed?");
    handoff(dir, ["install"]);
    expect(lines(dir, "upstream")).toEqual([
      "+refs/heads/*:refs/remotes/upstream/*",
      "+refs/handoff/*:refs/handoff-remotes/*/upstream",
    ]);
    handoff(dir, ["uninstall"]);
    expect(lines(dir, "upstream")).toEqual(["+refs/heads/*:refs/remotes/upstream/*"]);
  });

  it("a renamed remote: uninstall alone takes it out too", () => {
    const dir = makeClone();
    handoff(dir, ["install"]);
    git(dir, "remote", "rename", "origin", "upstream");
    handoff(dir, ["uninstall"]);
    expect(lines(dir, "upstream")).toEqual(["+refs/heads/*:refs/remotes/upstream/*"]);
  });

  it("partial clone: says that a plain fetch brings names only", () => {
    const origin = makeRepo();
    git(origin, "config", "uploadpack.allowFilter", "true");
    const dir = join(tempDir("partial"), "p");
    git(tempDir(), "clone", "-q", "--filter=blob:none", `file://${origin}`, dir);
    expect(handoff(dir, ["install"]).stdout).toContain("names only");
  });

  it.each([
    ["no last newline", "[a]\n\tb = 1"],
    ["CRLF", "[a]\r\n\tb = 1\r\n"],
    ["a comment at the end", "[a]\n\tb = 1\n# last words\n\n"],
    ["an include section of its own", "[include]\n\tpath = theirs\n# why\n[a]\n\tb = 1\n"],
    ["bytes that are no UTF-8", "[a]\n\tb = \xe9\xff\n"],
    ["the remote's section twice", '[remote "origin"]\n\ttagOpt = --no-tags'],
    ["an empty include section", "[include]\n"],
  ])("the configuration comes back to the byte: %s", (_name, text) => {
    const dir = makeClone();
    const path = join(dir, ".git/config");
    appendFileSync(path, Buffer.from(text, "latin1"));
    const before = config(dir);
    handoff(dir, ["install"]);
    expect(lines(dir)).toContain(REFSPEC);
    handoff(dir, ["uninstall"]);
    expect(config(dir)).toBe(before);
    expect(existsSync(join(dir, ".git/config.lock"))).toBe(false);
  });

  it("what was configured since stays", () => {
    const dir = makeClone();
    const before = config(dir);
    handoff(dir, ["install"]);
    git(dir, "config", "handoff.writer", "ada-111111");
    handoff(dir, ["uninstall"]);
    expect(config(dir)).toBe(`${before}[handoff]\n\twriter = ada-111111\n`);
  });

  it("waits for whoever holds the configuration, and says so when it does not end", {
    timeout: 20_000,
  }, () => {
    const dir = makeClone();
    writeFileSync(join(dir, ".git/config.lock"), "");
    const result = handoff(dir, ["install"]);
    expect(result.code).toBe(128);
    expect(result.stderr).toContain("could not lock config file");
    expect(lines(dir)).toEqual(["+refs/heads/*:refs/remotes/origin/*"]);
  });
});
