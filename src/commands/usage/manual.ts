/** The man page, in the man(7) macros, from the same data as `-h`. Pure; build.mjs writes it. */
import { COMMANDS, type CommandSpec } from "../spec.js";
import { CONFIG_KEYS, ENVIRONMENT, type Entry, EXAMPLES, EXIT_CODES, FILES } from "./reference.js";
import { optionLabel, synopses } from "./text.js";

/** @param version as in package.json. */
export function manualPage(version: string): string {
  const shown = COMMANDS.filter(({ hidden }) => !hidden);
  return [
    `.TH GIT\\-HANDOFF 1 "" "git\\-handoff ${roff(version)}" "Git Manual"`,
    ".SH NAME",
    "git\\-handoff \\- park work in git and go on with checked context",
    ".SH SYNOPSIS",
    ...shown.flatMap((command) => synopses(command).flatMap((line) => [bold(line), ".br"])).slice(0, -1),
    ".SH DESCRIPTION",
    ...paragraphs(DESCRIPTION),
    ".SH COMMANDS",
    ...shown.flatMap(section),
    ".SH CONFIGURATION",
    ...CONFIG_KEYS.flatMap(entry),
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(entry),
    ".SH EXIT STATUS",
    ...EXIT_CODES.flatMap(entry),
    ".SH FILES",
    ...FILES.flatMap(entry),
    ".SH EXAMPLES",
    ...EXAMPLES.flatMap(entry),
    ".SH SEE ALSO",
    ".BR git (1),",
    ".BR githooks (5)",
    "",
  ].join("\n");
}

const DESCRIPTION = [
  "A handoff is a short document for whoever goes on with a branch: what is intended next, what was done and where that shows, what was ruled out and why. It is stored in the repository itself, under refs/handoff, and travels by push and fetch.",
  "Reading one checks it first: whether each ruled-out approach is still ruled out, whether the work it tells of is still there, whether the code has moved on. Reading changes nothing.",
  "A handoff for a branch is pulled by who continues it, until it is closed. One that another repository sent stands in the inbox, until it is acknowledged.",
  "Wherever a handoff is named, its handle (seven letters and digits), its whole id or a unique beginning of either will do.",
];

function section(command: CommandSpec): string[] {
  return [
    `.SS ${quoted([command.name, ...(command.aliases ?? [])].join(", "))}`,
    ...synopses(command)
      .flatMap((line) => [bold(line), ".br"])
      .slice(0, -1),
    ".PP",
    roff(`${sentence(command.describe)}`),
    ...(command.positionals ?? []).flatMap(({ name, describe }) =>
      entry({ term: `<${name}>`, text: sentence(describe) }),
    ),
    ...(command.options ?? []).flatMap((option) =>
      entry({ term: optionLabel(option), text: sentence(option.describe) }),
    ),
  ];
}

function paragraphs(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [".PP", roff(text)]);
}

function entry({ term, text }: Entry): string[] {
  return [".TP", bold(term), roff(text)];
}

function bold(text: string): string {
  return `.B ${quoted(text)}`;
}

function quoted(text: string): string {
  return `"${roff(text).replaceAll('"', "\\(dq")}"`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** Escapes what roff would take for its own: backslashes, dashes (else typeset as hyphens), leading dots. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("~", "\\(ti")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replace(/^\./, "\\&.");
}
