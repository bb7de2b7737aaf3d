/** Predicate text to predicate. Everything that is not one of the accepted forms is refused with its reason. */
import { CannotEvaluate, REASONS } from "./cannot-evaluate.js";
import { parseGh } from "./parse-gh.js";
import { parseGit } from "./parse-git.js";
import { parseGrep } from "./parse-search.js";
import type { Form, Predicate, TestPredicate } from "./types.js";
import { splitWords, type Word } from "./words.js";

/** Characters of a predicate at most; longer ones are no question anybody asked by hand. */
const MAX_TEXT = 16_384;

const FORMS = new Set(["grep", "test", "[", "git", "gh", "true", ":"]);

/** Words that only a shell gives a meaning to. */
const SHELL_WORDS = new Set(
  "! { } [[ ]] if then elif else fi for while until do done case esac in function select time coproc eval exec source . cd export set unset read command builtin env".split(
    " ",
  ),
);

/** Programs people write into predicates; told from prose, whose first word is none of these. */
const PROGRAMS = new Set(
  "ack ag ant awk bash bats bazel bun bundle cargo cat cmake cmp composer cp curl deno diff docker dotnet echo egrep false fgrep find gcc go gradle gradlew head helm java jest jq kubectl ls make mocha mvn mypy nc node npm npx perl php phpstan phpunit pip pip3 pnpm poetry printf psql pytest python python2 python3 rake rg rm rspec ruby rustc sbt sed sh sleep sort ssh stat sudo swift tail terraform timeout touch tox tsc uv uvx vitest wc wget xargs yarn yq zig zsh".split(
    " ",
  ),
);

/** Throws CannotEvaluate. Never runs, reads or expands anything. */
export function parsePredicate(text: string): Predicate {
  if (text.trim() === "") throw new CannotEvaluate(REASONS.empty);
  if (text.length > MAX_TEXT) throw new CannotEvaluate("out-of-budget: the predicate is too long");
  if (text.includes("\0")) throw new CannotEvaluate(REASONS.shell);
  // Half a character, which no program could be given.
  if (/[\ud800-\udfff]/u.test(text)) throw new CannotEvaluate(REASONS.encoding);
  const first = /^\s*(?:!\s+)?(\S+)/.exec(text)?.[1] ?? "";
  if (!FORMS.has(first.replace(/["'\\]/g, ""))) throw new CannotEvaluate(refusal(text, first));
  const words = splitWords(text);
  const negated = words[0]?.bare === true && words[0].text === "!";
  const [command, ...rest] = negated ? words.slice(1) : words;
  if (command === undefined) throw new CannotEvaluate(REASONS.prose);
  // `test ! -e x` turns the answer round just as `! test -e x` does.
  if ((command.text === "test" || command.text === "[") && rest[0]?.text === "!" && rest.length > 2) {
    return { negated: !negated, ask: parseForm(command, rest.slice(1), negated) };
  }
  return { negated, ask: parseForm(command, rest, negated) };
}

function parseForm(command: Word, rest: Word[], negated: boolean): Form {
  const args = rest.map((word) => word.text);
  switch (command.text) {
    case "grep":
      return parseGrep(args);
    case "test":
      return parseTest(args);
    case "[":
      if (args.at(-1) !== "]") throw new CannotEvaluate(REASONS.shell);
      return parseTest(args.slice(0, -1));
    case "git":
      return parseGit(args);
    case "gh":
      return parseGh(args, negated);
    case "true":
    case ":":
      if (args.length > 0) throw new CannotEvaluate(REASONS.prose);
      return { form: "true" };
    default:
      throw new CannotEvaluate(REASONS.runs);
  }
}

function parseTest(args: string[]): TestPredicate {
  const operator = /^-([efdsx])$/.exec(args[0] ?? "")?.[1];
  const path = args[1];
  if (operator === undefined || path === undefined) {
    throw new CannotEvaluate("only test -e, -f, -d, -s and -x of one path are asked");
  }
  if (args.length > 2) {
    const combined = args.some((arg) => ["-a", "-o", "!", "(", "-nt", "-ot", "-ef"].includes(arg));
    throw new CannotEvaluate(
      combined ? "only test -e, -f, -d, -s and -x of one path are asked" : REASONS.files,
    );
  }
  return { form: "test", operator: operator as TestPredicate["operator"], path };
}

/** Why a text that starts with none of the accepted commands is refused. */
function refusal(text: string, first: string): string {
  const assignment = /^[A-Za-z_]\w*\+?=/.test(first);
  if (assignment || SHELL_WORDS.has(first) || /^[!(<>|&;`]|^\$[({]/.test(first)) return REASONS.shell;
  const program = PROGRAMS.has(first) || /^\.{0,2}\/|^[\w.-]+\/\S*\.(sh|py|js|mjs|rb|pl)$/.test(first);
  const options = /^[a-z][\w.+-]*$/.test(first) && /\s--?[A-Za-z]/.test(text);
  if (!program && !options) return REASONS.prose;
  return /[|&;<>`\n]|\$[({A-Za-z]/.test(text.trim()) ? REASONS.shell : REASONS.runs;
}
