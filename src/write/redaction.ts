/** What redaction needs to know of this machine and history. */
import { homedir } from "node:os";
import type { RedactOptions } from "../document/redact.js";
import type { Repository } from "../git/repository.js";

/** Addresses of the last commits' people and of the user stay; bounded to this many commits. */
const HISTORY = "1000";

export async function redactionFor(repository: Repository, redact: boolean): Promise<RedactOptions> {
  const [log, { author, committer }] = await Promise.all([
    repository.safe(["log", "--no-show-signature", `--max-count=${HISTORY}`, "--format=%ae%n%ce"], {
      timeout: 5_000,
    }),
    repository.identity(),
  ]);
  const found = log.code === 0 ? log.stdout.toString("utf8").split("\n") : [];
  const identities = [...new Set([author.email, committer.email, ...found].filter((email) => email !== ""))];
  const home = repository.env.HOME || homedir();
  return { redact, identities, home: home === "" || home === "/" ? null : home };
}
