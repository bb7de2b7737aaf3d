/** Predicates that can never be false say nothing: they are shown but do not gate. */
import type { Rejection } from "../../document/types.js";
import { pathParts } from "../tree-path.js";
import { CannotEvaluate } from "./cannot-evaluate.js";
import { parsePredicate } from "./parse.js";
import { selectsEveryLine, selectsNoLine } from "./pattern/selection.js";
import type { GitPredicate, Predicate, Search } from "./types.js";
import { splitWords } from "./words.js";

/**
 * Whether the predicate is trivially always true, or wishes for nothing in particular. Pure: no file and no
 * repository is asked. Source: the park document, validator rule 5.
 */
export function isLowInfo(rejection: Pick<Rejection, "kind" | "predicate">): boolean {
  const text = rejection.predicate;
  if (text.trim() === "") return false;
  try {
    return isTautology(parsePredicate(text));
  } catch (error) {
    if (!(error instanceof CannotEvaluate)) throw error;
    return comparesConstants(text) || isEmptyWish(text);
  }
}

/** The same of a predicate that is parsed already. */
export function isTautology({ negated, ask }: Predicate): boolean {
  switch (ask.form) {
    case "true":
      return true;
    case "grep":
      return selectsAlways(ask.search, negated);
    case "test": {
      const top = pathParts(ask.path)?.length === 0 && ask.path !== "" && !ask.path.includes("..");
      if (ask.path === "") return negated;
      return top && negated === (ask.operator === "f");
    }
    case "gh":
      return false;
    default:
      return !negated ? isGitTautology(ask) : ask.form === "git grep" && selectsAlways(ask.search, true);
  }
}

function selectsAlways(search: Search, negated: boolean): boolean {
  return negated ? selectsNoLine(search) : selectsEveryLine(search);
}

function isGitTautology(ask: GitPredicate): boolean {
  switch (ask.form) {
    case "git object":
      // There as soon as anything is.
      return /^(?:HEAD|@)(?:\^\{(?:commit|tree)\}|[~^]0|:)*$/.test(ask.revision);
    case "git ancestor":
      return (
        ask.ancestor.startsWith(ask.descendant) &&
        /^[~^0-9]*$/.test(ask.ancestor.slice(ask.descendant.length))
      );
    case "git diff": {
      const [one, other] = ask.operands.loose;
      return one !== undefined && one === other;
    }
    case "git tracked":
      return ask.path === "";
    case "git grep":
      return selectsAlways(ask.search, false);
    case "git ref":
      return false;
  }
}

/** `test 1 = 1`, `[ -n x ]`, `1 == 1`: no file is asked. */
function comparesConstants(text: string): boolean {
  let words: string[];
  try {
    words = splitWords(text).map((word) => word.text);
  } catch {
    return false;
  }
  const negated = words[0] === "!";
  if (negated) words.shift();
  const [command, ...rest] = words;
  if (command === "[" || command === "test") {
    if (command === "[" && rest.pop() !== "]") return false;
    return constant(rest) === !negated;
  }
  if (/^(?:always(?: true)?|yes|1|tautology)$/i.test(text.trim())) return true;
  return words.length === 3 && ["=", "==", "==="].includes(words[1] ?? "") && words[0] === words[2];
}

/** What a `test` of words alone says; null where it asks something of the world. */
function constant(words: readonly string[]): boolean | null {
  const [one, operator, other] = words;
  if (one === undefined) return false;
  if (words.length === 1) return one !== "";
  if (words.length === 2 && (one === "-n" || one === "-z")) return (operator === "") === (one === "-z");
  if (words.length !== 3 || operator === undefined || other === undefined) return null;
  switch (operator) {
    case "=":
    case "==":
      return one === other;
    case "!=":
      return one !== other;
  }
  if (!/^-?\d+$/.test(one) || !/^-?\d+$/.test(other)) return null;
  const order = Number(one) - Number(other);
  const numeric: Readonly<Record<string, boolean>> = {
    "-eq": order === 0,
    "-ne": order !== 0,
    "-lt": order < 0,
    "-le": order <= 0,
    "-gt": order > 0,
    "-ge": order >= 0,
  };
  return numeric[operator] ?? null;
}

const WISH =
  /^(?:the |our )?(?:users?|customers?|clients?|teams?|maintainers?|owners?|reviewers?|we|i|they|everyone|everybody|somebody|someone) (?:still |always |currently |really |just )*(?:wants?|needs?|prefers?|likes?|wishes|expects?|would like|cares? about|hopes?|asks? for|is interested in|are interested in)\b(.*)$/;

/** Words that name nothing one could check against. */
const EMPTY_WORDS = new Set(
  "a an the to be is are it its this that these those some any more most much many few for of in on with and or as at by all every everything anything something things thing stuff good better best great nice well high higher low quality improve improved improvement improvements improving change changes progress success successful result results outcome outcomes solution solutions work works working done finished complete completed code task tasks features right correct correctly proper properly clean cleaner happy make made get have has do possible still us me them him her p".split(
    " ",
  ),
);

/** "user still wants improvements": a wish nobody could fail to have. */
function isEmptyWish(text: string): boolean {
  const sentence = text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, "")
    .replace(/\s+/g, " ");
  const wanted = WISH.exec(sentence)?.[1];
  if (wanted === undefined) return false;
  return wanted
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word !== "")
    .every((word) => EMPTY_WORDS.has(word));
}
