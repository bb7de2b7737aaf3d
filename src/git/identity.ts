/** Who commits. */
import { userInfo } from "node:os";
import type { Config } from "./config.js";
import type { Environment } from "./environment.js";
import type { Identity } from "./port.js";

export interface Identities {
  author: Identity;
  committer: Identity;
  /** git has no complete identity here; part of it is made up. */
  fallback: boolean;
}

/** Without an identity a handoff is still written: under the login name, or `unknown` where guessing is forbidden. */
function madeUp(guess: boolean): Identity {
  let login = "";
  try {
    login = guess ? userInfo().username : "";
  } catch {
    // An account without a passwd entry, as containers have.
  }
  const name = login || "unknown";
  return { name, email: `${name}@localhost` };
}

/** In git's order: environment, `author.*` and `committer.*`, `user.*`, EMAIL; then a fallback, never a failure. */
export function identities(env: Environment, config: Config): Identities {
  let fallback: Identity | undefined;
  const role = (upper: string, lower: string): Identity => {
    const name = env[`GIT_${upper}_NAME`] || config.get(`${lower}.name`) || config.get("user.name");
    const email =
      env[`GIT_${upper}_EMAIL`] || config.get(`${lower}.email`) || config.get("user.email") || env.EMAIL;
    if (name && email) return { name, email };
    fallback ??= madeUp(config.getBoolean("user.useConfigOnly") !== true);
    return { name: name || fallback.name, email: email || fallback.email };
  };
  const author = role("AUTHOR", "author");
  const committer = role("COMMITTER", "committer");
  return { author, committer, fallback: fallback !== undefined };
}
