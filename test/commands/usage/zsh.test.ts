// The completion as zsh has it: Tab pressed in an interactive shell, by zsh's own pseudo-terminal.
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { zshCompletion } from "../../../src/commands/usage/zsh.js";
import { git, makeRepo, program, tempDir } from "../../support/repo.js";
import { seed } from "../../support/seed.js";

const missing = spawnSync("zsh", ["-fc", "zmodload zsh/zpty && zpty z true"]).status !== 0;

/** Prints each match that is offered for $LINE after a mark; $FUNCTIONS holds our script. */
const PRESS_TAB = `
zmodload zsh/zpty
zpty z zsh -f -i
type() { zpty -w z "$*" }
type 'PROMPT= RPROMPT= fpath=($FUNCTIONS $fpath); autoload -U compinit; compinit -u -D'
type 'compadd() { typeset -a found; [[ " $* " == *" -"[OAD]" "* ]] || builtin compadd -A found "$@"; [[ -n $found ]] && print -rl -- ">>>"$^found; builtin compadd "$@" }'
type 'tab() { zle complete-word; print -r -- "<""<<" }; zle -N tab; bindkey "^I" tab; unsetopt automenu; print "REA""DY"'
zpty -r z out '*READY*'
zpty -w -n z "$LINE"$'\\t'
zpty -r z out '*<<<*'
print -r -- $out
zpty -d z
`;

describe.skipIf(missing)("zsh completion", () => {
  const place = tempDir("zsh");
  let repo = "";
  let handle = "";

  beforeAll(async () => {
    repo = makeRepo("zsh");
    git(repo, "branch", "feat/parser");
    ({ handle } = await seed(repo, { meta: { intent: "Fix: the parser" } }));
    mkdirSync(join(place, "bin"));
    mkdirSync(join(place, "functions"));
    symlinkSync(program, join(place, "bin/git-handoff"));
    writeFileSync(join(place, "functions/_git-handoff"), zshCompletion());
    writeFileSync(join(place, "tab"), PRESS_TAB);
  });

  function offered(line: string): string[] {
    const { stdout } = spawnSync("zsh", ["-f", join(place, "tab")], {
      cwd: repo,
      encoding: "utf8",
      timeout: 60_000,
      env: {
        ...process.env,
        TERM: "xterm",
        LINE: line,
        FUNCTIONS: join(place, "functions"),
        PATH: `${join(place, "bin")}:${process.env.PATH}`,
      },
    });
    return [...stdout.matchAll(/>>>([^\r\n]+)/g)].map(([, word]) => word ?? "");
  }

  it.each(["git handoff", "git-handoff"])("serves %s", (name) => {
    expect(offered(`${name} `)).toEqual(expect.arrayContaining(["write", "close", "feat/parser", handle]));
    expect(offered(`${name} clo`)).toEqual(["close"]);
    expect(offered(`${name} close `)).toContain(handle);
    expect(offered(`${name} mv fea`)).toEqual(["feat/parser"]);
    expect(offered(`${name} export --format `).sort()).toEqual(["evidence", "inbox", "park"]);
    expect(offered(`${name} ack --`)).toEqual(expect.arrayContaining(["--decline", "--json", "--reason"]));
  });
});
