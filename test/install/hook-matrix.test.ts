// Whatever hook is there: it goes on running with its own exit status, and uninstall gives it back to the byte.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installHook } from "../../src/install/git-hook.js";
import { uninstall } from "../../src/install/git-unhook.js";
import { addRefspecs } from "../../src/install/refspec.js";
import { goOn } from "../../src/install/steps.js";
import { put } from "../support/repo.js";
import { GITS, gitSide, makeClone, open, putHook, run, withGit } from "./support.js";

interface Case {
  name: string;
  make(dir: string): void;
  /** What the hook prints when it runs; null: git does not run it. */
  says: string | null;
  /** Does `git checkout` of a branch fail over it? */
  fails?: boolean;
}

const HOOKS: Case[] = [
  { name: "none", make: () => {}, says: null },
  { name: "sh", make: (dir) => putHook(dir, "#!/bin/sh\necho mine $3\n"), says: "mine 1" },
  {
    name: "python",
    make: (dir) => putHook(dir, "#!/usr/bin/env python3\nimport sys\nprint('mine', sys.argv[3])\n"),
    says: "mine 1",
  },
  {
    name: "node",
    make: (dir) => putHook(dir, "#!/usr/bin/env node\nconsole.log('mine', process.argv[4])\n"),
    says: "mine 1",
  },
  { name: "exec tail", make: (dir) => putHook(dir, "#!/bin/sh\nexec echo mine\n"), says: "mine" },
  { name: "exit 0 tail", make: (dir) => putHook(dir, "#!/bin/sh\necho mine\nexit 0\n"), says: "mine" },
  { name: "set -e", make: (dir) => putHook(dir, "#!/bin/sh\nset -e\necho mine\n"), says: "mine" },
  { name: "open heredoc", make: (dir) => putHook(dir, "#!/bin/sh\ncat <<X\nmine\n"), says: "mine" },
  { name: "no shebang", make: (dir) => putHook(dir, "echo mine\n"), says: "mine" },
  { name: "no last newline", make: (dir) => putHook(dir, "#!/bin/sh\necho mine"), says: "mine" },
  {
    name: "failing",
    make: (dir) => putHook(dir, "#!/bin/sh\necho mine\nexit 7\n"),
    says: "mine",
    fails: true,
  },
  { name: "CRLF", make: (dir) => putHook(dir, "#!/bin/sh\r\necho mine\r\n"), says: null, fails: true },
  {
    name: "missing interpreter",
    make: (dir) => putHook(dir, "#!/no/such/program\n"),
    says: null,
    fails: true,
  },
  { name: "no run bit", make: (dir) => putHook(dir, "#!/bin/sh\necho mine\n", 0o644), says: null },
  { name: "strange mode", make: (dir) => putHook(dir, "#!/bin/sh\necho mine\n", 0o511), says: "mine" },
  {
    name: "link",
    make: (dir) => {
      putHook(dir, "#!/bin/sh\necho mine\n", 0o755, "tools/hook");
      symlinkSync("../../tools/hook", join(dir, ".git/hooks/post-checkout"));
    },
    says: "mine",
  },
  {
    name: "looks beside itself",
    make: (dir) => {
      put(dir, ".git/hooks/words", "mine\n");
      putHook(dir, '#!/bin/sh\ncat "$(dirname "$0")/words"\n');
    },
    says: "mine",
  },
];

for (const { name, path } of GITS) {
  describe(`with ${name}`, () => {
    for (const hook of HOOKS) {
      it(`keeps and gives back: ${hook.name}`, async () => {
        const env = withGit(path);
        const dir = makeClone();
        hook.make(dir);
        const before = gitSide(dir);
        const plain = run(dir, env, "git", "checkout", "-b", "plain");
        const install = async () => {
          const repository = await open(dir, env);
          await addRefspecs(repository, join(dir, ".git/handoff"), goOn);
          return installHook(repository, goOn);
        };
        const first = await install();
        expect(first.probe.reached).toBe(1);
        const once = gitSide(dir);
        expect((await install()).probe.reached).toBe(1);
        expect((await install()).probe.reached).toBe(1);
        expect(gitSide(dir)).toEqual(once);

        const checkout = run(dir, env, "git", "checkout", "-b", "with");
        expect(checkout.code).toBe(plain.code);
        expect(checkout.code).toBe(hook.fails ? 1 : 0);
        if (hook.says !== null) expect(checkout.stderr).toContain(hook.says);
        else expect(checkout.stderr).not.toContain("mine");

        const taken = await uninstall(await open(dir, env), goOn);
        expect(taken.stillRuns).toBe(false);
        expect(taken.notes).toEqual([]);
        expect(gitSide(dir)).toEqual(before);
      });
    }

    it("refuses a hook that goes by its name, with the line to add, and changes nothing of it", async () => {
      const env = withGit(path);
      const dir = makeClone();
      putHook(dir, '#!/bin/sh\nexec echo "hook: $(basename "$0")"\n');
      const before = gitSide(dir)["hooks/post-checkout"];
      const result = await installHook(await open(dir, env), goOn);
      expect(gitSide(dir)["hooks/post-checkout"]).toBe(before);
      if (result.kind === "config") expect(result.probe.reached).toBe(1);
      else expect(result.refusal?.lines.join("\n")).toContain("handoff/post-checkout");
    });
  });
}
