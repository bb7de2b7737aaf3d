/** Delivers one document to another repository: one push of one ref of one commit. Never forces, fetches nothing. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FatalError } from "../errors.js";
import { elsewhereEnvironment } from "../git/environment.js";
import type { ObjectFormat } from "../git/port.js";
import { Repository } from "../git/repository.js";
import { execaGit } from "../git/run.js";
import { type SentLog, sentLog } from "../store/sent.js";
import type { NewDocument } from "../store/write.js";
import { writerId } from "../store/writer.js";
import type { Destination } from "./destination.js";
import { gitReason, type Network, runNetwork } from "./network.js";
import { parsePushed } from "./porcelain.js";
import { pushCommand } from "./push-command.js";

export interface Sent extends SentLog {
  /** False: it was there already. */
  delivered: boolean;
}

/**
 * Sends the document for `branch` (`HEAD`: the repository as a whole). The same document again is "up to date".
 * Throws FatalError saying whether the destination could not be reached or refused it.
 */
export async function sendDocument(
  origin: Repository,
  destination: Destination,
  document: NewDocument,
  options: { branch: string; network: Network },
): Promise<Sent> {
  const writer = await writerId(origin.port(), { create: true });
  if (writer === null) throw new FatalError("cannot make a writer id");
  const format = destination.objectFormat ?? origin.info.objectFormat;
  const { author } = await origin.identity();
  const sent = sentLog(format, { branch: options.branch, writer, document, author });
  const delivered = await withSource(origin, format, async (source) => {
    await source.port().write(sent.objects);
    return push(source, destination, sent, options.network);
  });
  return { ...sent, delivered };
}

/** A repository of the destination's hash to push from: the origin itself, or a throwaway one. */
async function withSource<T>(
  origin: Repository,
  format: ObjectFormat,
  use: (source: Repository) => Promise<T>,
): Promise<T> {
  if (format === origin.info.objectFormat) return use(origin);
  const folder = await mkdtemp(join(tmpdir(), "git-handoff-"));
  try {
    const env = elsewhereEnvironment(origin.env);
    const init = await origin.run(["init", "-q", "--bare", `--object-format=${format}`, folder], { env });
    if (init.code !== 0)
      throw new FatalError(`cannot make a ${format} repository: ${gitReason(init, "git init failed")}`);
    return await use(await Repository.open(folder, { ...env, GIT_DIR: folder }, execaGit()));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function push(
  source: Repository,
  destination: Destination,
  sent: SentLog,
  network: Network,
): Promise<boolean> {
  // Its own garbage collection would start there in our name.
  const receive = destination.local ? ["--receive-pack=git -c receive.autogc=false receive-pack"] : [];
  const args = [
    ...pushCommand(destination.address),
    ...receive,
    "--",
    destination.address,
    `${sent.commit}:${sent.ref}`,
  ];
  const answer = await runNetwork(source, network, args);
  const [pushed] = parsePushed(answer.stdout.toString("utf8"));
  if (!pushed)
    throw new FatalError(`cannot push to '${destination.address}': ${gitReason(answer, "git push failed")}`);
  if (pushed.status === "rejected") {
    throw new FatalError(`'${destination.address}' refused the handoff: ${pushed.reason ?? pushed.summary}`);
  }
  return pushed.status === "new";
}
