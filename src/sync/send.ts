/** Delivers one document to another repository: one push of one ref of one commit. Never forces, fetches nothing. */
import { setTimeout as sleep } from "node:timers/promises";
import { oneLine } from "../document/strip.js";
import { FatalError } from "../errors.js";
import type { Identity, ObjectFormat } from "../git/port.js";
import type { Repository } from "../git/repository.js";
import { type SentLog, sentLog } from "../store/sent.js";
import type { NewDocument } from "../store/write.js";
import { writerId } from "../store/writer.js";
import type { Destination } from "./destination.js";
import { gitReason, type Network, remoteWords, unanswered } from "./network.js";
import { isRace, type PushedRef } from "./porcelain.js";
import { type PushAnswer, runPush } from "./push-command.js";
import { type Source, withSource } from "./throwaway.js";

export interface Sent extends SentLog {
  /** False: it was there already. */
  delivered: boolean;
}

export interface SendOptions {
  /** `HEAD`: the repository as a whole. */
  branch: string;
  /** The document's author, who also commits it: the same document is then the same commit whoever repeats it. */
  author: Identity;
  network: Network;
}

/** Tries beside others who send at the same moment. */
const TRIES = 5;

/**
 * Sends the document. The same document again is "up to date". Throws FatalError saying whether the destination
 * could not be reached or why it refused.
 */
export async function sendDocument(
  origin: Repository,
  destination: Destination,
  document: NewDocument,
  options: SendOptions,
): Promise<Sent> {
  const writer = await writerId(origin.port(), { create: true });
  const deliver = (format: ObjectFormat) => {
    const { branch, author } = options;
    const sent = sentLog(format, { branch, writer, document, author });
    return withSource(origin, destination, format, async (source) => {
      await source.repository.port().write(sent.objects);
      return { ...sent, delivered: await push(source, destination, sent, options.network) };
    });
  };
  const known = destination.objectFormat;
  if (known !== null) return deliver(known);
  const own = origin.info.objectFormat;
  try {
    return await deliver(own);
  } catch (error) {
    // An empty repository at a URL tells its hash only by refusing the other.
    if (!(error instanceof OtherHashError)) throw error;
    return deliver(own === "sha1" ? "sha256" : "sha1");
  }
}

class OtherHashError extends FatalError {}

async function push(
  source: Source,
  destination: Destination,
  sent: SentLog,
  network: Network,
): Promise<boolean> {
  // Its own garbage collection would start there in our name.
  const options =
    destination.commonDir === null ? [] : ["--receive-pack=git -c receive.autogc=false receive-pack"];
  const { address: to, settings } = source;
  const refspecs = [`${sent.commit}:${sent.ref}`];
  for (let attempt = 1; ; attempt++) {
    const answer = await runPush(source.repository, network, { to, refspecs, options, settings });
    const [pushed] = answer.refs;
    if (!pushed) throw noAnswer(destination, answer);
    if (pushed.status !== "rejected") return pushed.status === "new";
    // The same document sent by two at once: the second finds it there.
    const again = isRace(pushed) && pushed.summary !== "[rejected]" && attempt < TRIES;
    if (!again || Date.now() > network.deadline) throw refused(destination, pushed, answer);
    await sleep(50 * 2 ** attempt);
  }
}

function noAnswer({ name, url }: Destination, { result }: PushAnswer): FatalError {
  // The latter is what a sha256 git makes of an empty sha1 repository.
  if (/hash algorithm|capabilities\^\{\}/.test(result.stderr)) {
    return new OtherHashError(`'${name}' uses another hash: ${gitReason(result, "git push failed")}`);
  }
  return unanswered(url, result, "git push failed");
}

/** Each refusal in its own words, with what the destination's hook said. */
function refused({ name }: Destination, pushed: PushedRef, { result }: PushAnswer): FatalError {
  const reason = oneLine(pushed.reason ?? pushed.summary);
  const said = remoteWords(result).map((line) => `\nremote: ${line}`);
  return new FatalError(`${refusal(name, reason, gitReason(result, reason))}${said.join("")}`);
}

function refusal(name: string, reason: string, detail: string): string {
  if (/hidden ref/.test(reason)) return `'${name}' hides refs/handoff/ and takes no handoffs (${reason})`;
  if (/hook declined/.test(reason)) return `'${name}' refused the handoff by policy: ${reason}`;
  if (/unpacker error/.test(reason)) {
    const access = /unable to create|permission|read-only/i.test(detail);
    return `${access ? "no write access to" : "cannot store it in"} '${name}': ${detail}`;
  }
  if (/non-fast-forward|fetch first/.test(reason)) return `'${name}' has another document of this name`;
  return `'${name}' refused the handoff: ${reason}`;
}
