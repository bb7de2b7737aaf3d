// What somebody changed between install and uninstall stays, and is named.
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOOK, KEPT } from "../../src/install/hook-file.js";
import { git, handoff } from "../support/repo.js";
import { GITS, makeClone, putHook, run, withGit } from "./support.js";

const old = GITS.find(({ configHooks }) => !configHooks);

describe.runIf(old)("hook file", () => {
  const env = withGit(old?.path ?? null);
  const installed = () => {
    const dir = makeClone();
    putHook(dir, "#!/bin/sh\necho mine\n");
    expect(handoff(dir, ["install"], { env }).code).toBe(0);
    return { dir, hook: join(dir, ".git/hooks", HOOK), kept: join(dir, ".git/hooks", KEPT) };
  };

  it("lines added to our file", () => {
    const { dir, hook } = installed();
    appendFileSync(hook, "echo added\n");
    const result = handoff(dir, ["uninstall"], { env });
    expect(result.stderr).toContain("was changed since it was installed");
    expect(readFileSync(hook, "utf8")).toContain("echo added");
    expect(run(dir, env, "git", "checkout", "-b", "x").stderr).toContain("mine");
  });

  it("the kept hook changed: put back with the change", () => {
    const { dir, hook, kept } = installed();
    writeFileSync(kept, "#!/bin/sh\necho newer\n");
    expect(handoff(dir, ["uninstall"], { env }).stderr).toContain("with that change");
    expect(readFileSync(hook, "utf8")).toContain("newer");
    expect(existsSync(kept)).toBe(false);
  });

  it("a manager moved ours aside: taken out where it lies, the kept one in its place", () => {
    const { dir, hook, kept } = installed();
    renameSync(hook, `${hook}.legacy`);
    putHook(dir, '#!/bin/sh\necho manager\nexec "$0.legacy" "$@"\n');
    expect(run(dir, env, "git", "checkout", "-b", "x").stderr.match(/manager|mine/g)).toEqual([
      "manager",
      "mine",
    ]);
    expect(handoff(dir, ["uninstall"], { env }).code).toBe(0);
    expect(existsSync(kept)).toBe(false);
    expect(readFileSync(`${hook}.legacy`, "utf8")).toBe("#!/bin/sh\necho mine\n");
    expect(run(dir, env, "git", "checkout", "-b", "y").stderr.match(/manager|mine/g)).toEqual([
      "manager",
      "mine",
    ]);
  });

  it("a manager overwrote ours: the hook kept before is never overwritten", () => {
    const { dir, hook, kept } = installed();
    writeFileSync(hook, "#!/bin/sh\necho other\n");
    const again = handoff(dir, ["install"], { env });
    expect(again.code).toBe(128);
    expect(again.stderr).toContain("left from an earlier install");
    expect(readFileSync(kept, "utf8")).toContain("mine");
    expect(readFileSync(hook, "utf8")).toContain("other");
  });

  it("core.hooksPath set since: taken out of the folder it was put into", () => {
    const { dir, hook } = installed();
    git(dir, "config", "core.hooksPath", join(dir, "elsewhere"));
    expect(handoff(dir, ["uninstall"], { env }).code).toBe(0);
    expect(readFileSync(hook, "utf8")).toBe("#!/bin/sh\necho mine\n");
  });

  it("our file deleted: said, and the kept hook is named", () => {
    const { dir, hook } = installed();
    rmSync(hook);
    const result = handoff(dir, ["uninstall"], { env });
    expect(result.code).toBe(0);
    expect(result.stderr).toContain(KEPT);
  });
});

const fresh = GITS.find(({ configHooks }) => configHooks);

describe.runIf(fresh)("config hook", () => {
  const env = withGit(fresh?.path ?? null);

  it("takes over from the hook file of an older git", () => {
    const dir = makeClone();
    putHook(dir, "#!/bin/sh\necho mine\n");
    expect(handoff(dir, ["install"], { env: withGit(old?.path ?? null) }).code).toBe(0);
    expect(handoff(dir, ["install"], { env }).code).toBe(0);
    expect(readFileSync(join(dir, ".git/hooks", HOOK), "utf8")).toBe("#!/bin/sh\necho mine\n");
    const doctor = JSON.parse(handoff(dir, ["doctor", "--json"], { env }).stdout) as { hook: object };
    expect(doctor.hook).toMatchObject({ installed: ["config"], runs: true });
  });

  it("turned off by hook.handoff.enabled: install and doctor say so", () => {
    const dir = makeClone();
    git(dir, "config", "hook.handoff.enabled", "false");
    expect(handoff(dir, ["install"], { env })).toMatchObject({ code: 1 });
    expect(handoff(dir, ["doctor"], { env }).stdout).toContain("hook.handoff.enabled is false");
  });

  it("another program's hook of that name is not mixed with ours", () => {
    const dir = makeClone();
    git(dir, "config", "hook.handoff.command", "echo theirs");
    git(dir, "config", "hook.handoff.event", "post-checkout");
    const result = handoff(dir, ["install"], { env });
    expect(result.code).toBe(128);
    expect(result.stderr).toContain("echo theirs");
    expect(run(dir, env, "git", "checkout", "-b", "x").code).toBe(0);
  });

  it("a path added to our include section stays", () => {
    const dir = makeClone();
    const before = readFileSync(join(dir, ".git/config"), "utf8");
    handoff(dir, ["install"], { env });
    git(dir, "config", "--add", "include.path", "theirs");
    handoff(dir, ["uninstall"], { env });
    expect(git(dir, "config", "--local", "--get-all", "include.path")).toBe("theirs");
    expect(readFileSync(join(dir, ".git/config"), "utf8").startsWith(before)).toBe(true);
  });

  it("the hook folder deleted by hand: git goes on, uninstall takes the include out", () => {
    const dir = makeClone();
    handoff(dir, ["install"], { env });
    rmSync(join(dir, ".git/handoff"), { recursive: true });
    expect(run(dir, env, "git", "checkout", "-b", "x")).toMatchObject({ code: 0 });
    const result = handoff(dir, ["uninstall"], { env });
    expect(readFileSync(join(dir, ".git/config"), "utf8")).not.toContain("handoff/config");
    // Nobody knows any more who put the refspec there.
    expect(result.stderr).toContain("was not put there by install and stays");
    expect(git(dir, "config", "--get-all", "remote.origin.fetch")).toContain("refs/handoff/*");
  });
});
