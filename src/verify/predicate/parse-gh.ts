/** `gh …` to a typed question: something named by a bare number or tag, of this repository. */
import { CannotEvaluate, quoted, REASONS } from "./cannot-evaluate.js";
import type { GhPredicate } from "./types.js";

const SUBJECTS = ["pr", "issue", "release", "run"] as const;

/** `.field == value`, where nothing can be computed, read or printed beside it. */
const COMPARISON =
  /^\s*(\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*(?:(==|!=)\s*("[^"\\\u0000-\u001f]*"|-?\d+(?:\.\d+)?|true|false|null)\s*)?$/;

/** Throws CannotEvaluate. `negated`: only a comparison can be turned round; existence cannot be told from an error. */
export function parseGh(args: readonly string[], negated: boolean): GhPredicate {
  const [group, verb, ...rest] = args;
  const subject = SUBJECTS.find((one) => one === group);
  if (subject === undefined || verb !== "view") {
    throw new CannotEvaluate("only gh pr, issue, release and run view are asked");
  }
  const names: string[] = [];
  let fields: string[] | null = null;
  let query: string | null = null;
  for (let i = 0; i < rest.length; i++) {
    const arg = rest[i] ?? "";
    const [, option, joined] = /^(--json|--jq)=(.*)$/s.exec(arg) ?? [];
    const name = option ?? arg;
    if (name === "--json" || name === "--jq" || name === "-q") {
      const value = joined ?? rest[++i];
      if (value === undefined) throw new CannotEvaluate(`${name} without a value`);
      if (name === "--json") fields = value.split(",");
      else query = value;
    } else if (arg.startsWith("-")) throw new CannotEvaluate(`option not accepted: ${quoted(arg)}`);
    else names.push(arg);
  }
  const [name, ...more] = names;
  if (more.length > 0) throw new CannotEvaluate(REASONS.files);
  const plain =
    subject === "release" ? /^[A-Za-z0-9][A-Za-z0-9._+-]*(?:\/[A-Za-z0-9._+-]+)*$/ : /^[0-9]{1,18}$/;
  if (name === undefined || !plain.test(name) || name.includes("..")) {
    throw new CannotEvaluate("gh is asked about a bare number or tag only");
  }
  if (fields?.some((field) => !/^[A-Za-z]\w*$/.test(field)))
    throw new CannotEvaluate("--json takes field names");
  if (query === null) {
    if (negated) throw new CannotEvaluate("whether it is absent cannot be told from an error");
    return { form: "gh", subject, name, fields: fields ?? [], query: null };
  }
  const comparison = COMPARISON.exec(query);
  if (comparison === null) throw new CannotEvaluate("--jq takes a plain field comparison only");
  if (fields === null) throw new CannotEvaluate("--jq without --json");
  const [, field, operator, constant] = comparison;
  return {
    form: "gh",
    subject,
    name,
    fields,
    query: operator === undefined ? `${field}` : `${field} ${operator} ${constant}`,
  };
}
