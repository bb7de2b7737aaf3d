/** The words of `grep` and `git grep` to a Search. GNU order: options may stand anywhere before `--`. */
import { CannotEvaluate, quoted, REASONS } from "./cannot-evaluate.js";
import type { GrepPredicate, Search } from "./types.js";

const LONG: Readonly<Record<string, string>> = {
  "--quiet": "q",
  "--silent": "q",
  "--no-messages": "s",
  "--count": "c",
  "--extended-regexp": "E",
  "--fixed-strings": "F",
  "--basic-regexp": "G",
  "--perl-regexp": "P",
  "--ignore-case": "i",
  "--word-regexp": "w",
  "--line-regexp": "x",
  "--invert-match": "v",
  "--line-number": "n",
  "--with-filename": "H",
  "--no-filename": "h",
  "--recursive": "r",
};

/** The flags that only name what would be printed; what is asked is the same without them. */
const SILENT = "qscnHh";

/** Options that would start a program, or read a second file. */
const RUNS = /^(-O|--open|--op|--ext|--textconv)/;
const SECOND_FILE = /^(-f|--file|--exclude-from)/;

interface SearchArguments {
  search: Search;
  recursive: boolean;
  include: string[];
  /** Operands after the pattern and before `--`. */
  loose: string[];
  /** Operands after `--`; null where there is none. */
  paths: string[] | null;
}

/** `flags`: the one-letter options this command takes besides -e. Throws CannotEvaluate. */
export function parseSearch(args: readonly string[], flags: string): SearchArguments {
  const patterns: string[] = [];
  const syntaxes: Search["syntax"][] = [];
  const set = new Set<string>();
  const include: string[] = [];
  const loose: string[] = [];
  let paths: string[] | null = null;

  const refuse = (option: string): never => {
    if (RUNS.test(option)) throw new CannotEvaluate(REASONS.runs);
    if (SECOND_FILE.test(option)) throw new CannotEvaluate(REASONS.files);
    throw new CannotEvaluate(`option not accepted: ${quoted(option)}`);
  };
  const take = (flag: string, option: string): void => {
    if (!flags.includes(flag)) refuse(option);
    if (flag === "E") syntaxes.push("extended");
    else if (flag === "F") syntaxes.push("fixed");
    else if (flag === "G") syntaxes.push("basic");
    else if (flag === "P") syntaxes.push("perl");
    else set.add(flag);
  };
  const value = (index: number, option: string): string => {
    const given = args[index];
    if (given === undefined) throw new CannotEvaluate(`${option} without a value`);
    return given;
  };

  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--") {
      paths = args.slice(i + 1);
      break;
    }
    if (arg.startsWith("--")) {
      const equals = arg.indexOf("=");
      const name = equals < 0 ? arg : arg.slice(0, equals);
      const given = equals < 0 ? null : arg.slice(equals + 1);
      if (name === "--regexp") patterns.push(given ?? value(++i, name));
      else if (name === "--include" && flags.includes("r")) include.push(given ?? value(++i, name));
      else {
        const flag = Object.hasOwn(LONG, name) ? LONG[name] : undefined;
        if (flag === undefined || given !== null) refuse(arg);
        else take(flag, arg);
      }
    } else if (arg.startsWith("-") && arg !== "-") {
      for (let at = 1; at < arg.length; at++) {
        const flag = arg.charAt(at);
        if (flag !== "e") take(flag, `-${arg.slice(at)}`);
        else {
          patterns.push(at + 1 < arg.length ? arg.slice(at + 1) : value(++i, "-e"));
          break;
        }
      }
    } else loose.push(arg);
  }

  if (patterns.length === 0) {
    const pattern = loose.shift() ?? paths?.shift();
    if (pattern === undefined) throw new CannotEvaluate("no pattern");
    patterns.push(pattern);
  }
  const syntax = syntaxes.at(-1) ?? "basic";
  if (syntaxes.includes("perl") && syntaxes.some((one) => one !== "perl")) {
    throw new CannotEvaluate("option not accepted: -P beside another syntax");
  }
  if (syntax === "perl" && patterns.length > 1) throw new CannotEvaluate("option not accepted: -P twice -e");
  return {
    search: {
      syntax,
      // A newline separates alternatives, within one pattern too.
      patterns: syntax === "perl" ? patterns : patterns.flatMap((pattern) => pattern.split("\n")),
      ignoreCase: set.has("i"),
      word: set.has("w") && !set.has("x"),
      line: set.has("x"),
      invert: set.has("v"),
    },
    recursive: set.has("r"),
    include,
    loose,
    paths,
  };
}

/** `grep …`: exactly one path. Throws CannotEvaluate. */
export function parseGrep(args: readonly string[]): GrepPredicate {
  const { search, recursive, include, loose, paths } = parseSearch(args, `${SILENT}EFGPiwxvr`);
  const files = [...loose, ...(paths ?? [])];
  if (files.length > 1) throw new CannotEvaluate(REASONS.files);
  const path = files[0];
  // Without a file grep reads standard input, and so it does for `-`.
  if (path === undefined || path === "-") throw new CannotEvaluate(REASONS.noFile);
  return { form: "grep", search, path, recursive, include };
}

/** The one-letter options of `git grep` that are accepted. */
export const GIT_GREP_FLAGS = `${SILENT}EFGPiwvr`;
