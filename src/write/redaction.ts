/** What redaction needs to know of this machine and history. */
import { homedir } from "node:os";
import type { RedactOptions } from "../document/redact.js";
import type { Repository } from "../git/repository.js";

/** Addresses of the last commits' people and of the user stay; bounded to this many commits. */
const HISTORY = "1000";

/** What redaction is to know for a text. */
export type RedactionFor = (text: string) => Promise<RedactOptions>;

/** The history's people are looked up once, and only for a text that names somebody else than the user. */
export function redactionFor(repository: Repository, redact: boolean): RedactionFor {
  let people: Promise<string[]> | undefined;
  return async (text) => {
    const { author, committer } = await repository.identity();
    const own = [author.email, committer.email].filter((email) => email !== "");
    const home = repository.env.HOME || homedir();
    const options = { redact, identities: own, home: home === "" || home === "/" ? null : home };
    if (!redact || !namesOthers(text, own)) return options;
    people ??= peopleOf(repository);
    return { ...options, identities: [...new Set([...own, ...(await people)])] };
  };
}

function namesOthers(text: string, own: readonly string[]): boolean {
  return own.reduce((rest, email) => rest.replaceAll(email, ""), text).includes("@");
}

async function peopleOf(repository: Repository): Promise<string[]> {
  const args = ["log", "--no-show-signature", `--max-count=${HISTORY}`, "--format=%ae%n%ce"];
  const { code, stdout } = await repository.safe(args, { timeout: 5_000 });
  const found = code === 0 ? stdout.toString("utf8").split("\n") : [];
  return [...new Set(found.filter((email) => email !== ""))];
}
