// The man page, the completions and -h are drawn from one table; here each is read back and compared with it.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LOADERS } from "../../../src/commands/load.js";
import { COMMANDS, type CommandSpec } from "../../../src/commands/spec.js";
import { bashCompletion } from "../../../src/commands/usage/bash.js";
import { fishCompletion } from "../../../src/commands/usage/fish.js";
import { manualPage } from "../../../src/commands/usage/manual.js";
import { commandUsage, programUsage } from "../../../src/commands/usage/text.js";
import { zshCompletion } from "../../../src/commands/usage/zsh.js";
import { handoff, root, tempDir } from "../../support/repo.js";

const shown = COMMANDS.filter(({ hidden }) => !hidden);
const manual = manualPage("1.2.3").replaceAll("\\-", "-").replaceAll("\\(aq", "'");

function manualSection(name: string): string {
  const start = manual.search(new RegExp(`^\\.SS "${name}[",]`, "m"));
  expect(start, name).toBeGreaterThan(0);
  const rest = manual.slice(start + 4);
  return rest.slice(0, rest.search(/^\.S[SH] /m));
}

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  expect(from, start).toBeGreaterThanOrEqual(0);
  return text.slice(from, text.indexOf(end, from));
}

/** Every form an option may be typed in. */
function forms(command: CommandSpec): string[] {
  return (command.options ?? []).flatMap(({ name, alias, negatable }) => [
    `--${name}`,
    ...(alias ? [`-${alias}`] : []),
    ...(negatable ? [`--no-${name}`] : []),
  ]);
}

/** Options as help and man page write them, e.g. `-m, --[no-]x`. */
function written(text: string): Set<string> {
  const found = new Set<string>();
  for (const [label] of text.matchAll(/(?<=^ {4}|^\.B ")(-\w, )?--[^\s"]+/gm))
    for (const word of label.split(", ")) {
      found.add(word.replace("[no-]", ""));
      if (word.includes("[no-]")) found.add(word.replace("[no-]", "no-"));
    }
  return found;
}

describe.each(shown)("$name", (command) => {
  const expected = new Set(forms(command));

  it("has the same options in -h", () => {
    const { code, stdout } = handoff(tempDir(), [command.name, "-h"]);
    expect(code).toBe(129);
    expect(stdout).toBe(commandUsage(command));
    expect(written(stdout)).toEqual(expected);
  });

  it("has the same options in the man page", () => {
    expect(written(manualSection(command.name))).toEqual(expected);
  });

  it("has the same options in bash", () => {
    const own = between(
      bashCompletion(),
      `\n\t${[command.name, ...(command.aliases ?? [])].join("|")})`,
      "\t\t__git_handoff_complete",
    );
    const offered = own.match(/-\*\) __gitcomp "([^"]*)"/)?.[1]?.split(" ") ?? [];
    const long = new Set(offered.map((word) => word.replace("=", "")).filter(Boolean));
    expect(long).toEqual(new Set([...expected].filter((form) => form.startsWith("--"))));
  });

  it("has the same options in zsh", () => {
    const own = between(
      zshCompletion(),
      `    (${[command.name, ...(command.aliases ?? [])].join("|")})`,
      ";;",
    );
    const offered = [...own.matchAll(/^ {8}'\*?(-[\w-]+)[=+]?\[/gm)].map(([, form]) => form);
    expect(new Set(offered)).toEqual(expected);
  });

  it("has the same options in fish", () => {
    const seen = `-n '__fish_seen_subcommand_from ${[command.name, ...(command.aliases ?? [])].join(" ")}'`;
    const lines = fishCompletion()
      .split("\n")
      .filter((line) => line.includes(seen));
    const offered = lines.flatMap((line) => [
      ...[...line.matchAll(/ -l ([\w-]+)/g)].map(([, name]) => `--${name}`),
      ...[...line.matchAll(/ -s (\w)/g)].map(([, letter]) => `-${letter}`),
    ]);
    expect(new Set(offered)).toEqual(expected);
  });
});

describe("the list of commands", () => {
  const names = shown.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]);

  it("is the same in help, man page and completions", () => {
    const help = [...programUsage().matchAll(/^ {4}([\w-]+(?:, [\w-]+)*)(?: {2,}|$)/gm)].flatMap(
      ([, words]) => words?.split(", ") ?? [],
    );
    expect(help).toEqual(names);
    const sections = [...between(manual, ".SH COMMANDS", ".SH CONFIGURATION").matchAll(/^\.SS "([^"]*)"/gm)];
    expect(sections.flatMap(([, words]) => words?.split(", ") ?? [])).toEqual(names);
    expect(bashCompletion()).toContain(`printf '%s\\n' ${names.join(" ")}`);
    for (const name of names) {
      expect(zshCompletion()).toContain(`'${name}:`);
      expect(fishCompletion()).toMatch(new RegExp(`-n __fish_use_subcommand -a ${name} -d `));
    }
  });

  it("has something to load for each command, and nothing for any other", () => {
    const called = COMMANDS.map(({ name }) => name).filter((name) => name !== "session-start");
    expect(Object.keys(LOADERS).sort()).toEqual(called.sort());
  });
});

const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

describe("the man page", () => {
  it("is what the build wrote", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect(readFileSync(join(root, "dist/man/git-handoff.1"), "utf8")).toBe(manualPage(version));
  });

  it.skipIf(!has("groff"))("is set by groff without a warning", () => {
    const { status, stderr, stdout } = spawnSync("groff", ["-ww", "-man", "-Tutf8", "-P-cbou"], {
      input: manualPage("1.2.3"),
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toContain("git-handoff - park work in git");
    expect(stdout).toContain("--no-redact keeps what looks like a secret");
  });
});

describe.each([
  ["bash", ["-n"], bashCompletion],
  ["zsh", ["-n"], zshCompletion],
  ["fish", ["--no-execute"], fishCompletion],
] as const)("the completion script for %s", (shell, flags, script) => {
  it("is what the program prints", () => {
    expect(handoff(tempDir(), ["completion", shell])).toEqual({ code: 0, stdout: script(), stderr: "" });
  });

  it.skipIf(!has(shell))("is read without complaint", () => {
    const file = join(tempDir(), "script");
    writeFileSync(file, script());
    const { status, stdout, stderr } = spawnSync(shell, [...flags, file], { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});
