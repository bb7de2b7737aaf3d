/** Reading, writing, closing and acknowledging on whichever engine stands behind. */
import { oneLine } from "../document/strip.js";
import { FatalError, NegativeError, UsageError } from "../errors.js";
import { ackItems, closeItems, type Moved, recordWrite } from "../store/events.js";
import { findItem } from "../store/find.js";
import { readAllViews, readLive, readViews } from "../store/join.js";
import { REPOSITORY_BRANCH } from "../store/names.js";
import { leftOpen } from "../store/skipped.js";
import { summaryOf } from "../store/summary.js";
import type { Item } from "../store/types.js";
import { contentOf, type Prepared, prepare, type WriteMode } from "../write/prepare.js";
import type { Backing } from "./backing.js";
import type { Ended, HandoffContent, Handoffs, Listed, ListOptions, WriteOptions, Written } from "./types.js";

const MODES: Readonly<Record<NonNullable<WriteOptions["mode"]>, WriteMode>> = {
  write: "write",
  append: "append",
  overwrite: "supersede",
};

export class BackedHandoffs implements Handoffs {
  constructor(
    private readonly backing: Backing,
    private readonly now: () => Date,
  ) {}

  read({ branch }: { branch?: string } = {}) {
    return this.backing.read(branch, this.now());
  }

  async list({ branch, all = false, closed = false }: ListOptions = {}): Promise<Listed> {
    const { port } = this.backing;
    const named = branch ?? (await this.backing.branch());
    const branches = [...(named === null ? [] : [named]), REPOSITORY_BRANCH];
    const options = { live: !closed, headlines: true };
    const views = all ? await readAllViews(port, options) : await readViews(port, branches, options);
    const listed = views.flatMap(({ items }) => items.map(summaryOf));
    return Object.assign(listed, { warnings: [...new Set(views.flatMap((view) => view.warnings))] });
  }

  async write(content: HandoffContent, options: WriteOptions = {}): Promise<Written> {
    const { inbox = false, mode = "write", redact = true } = options;
    if (inbox && mode !== "write") throw new UsageError("an inbox handoff stands alone: its mode is write");
    const input = await checked(content);
    const branch = options.branch ?? (inbox ? REPOSITORY_BRANCH : await this.backing.branch());
    if (branch === null) throw new FatalError("not on a branch: name one");
    const now = this.now();
    const [place, observe, redaction] = await Promise.all([
      this.backing.place({ branch, delivery: inbox ? "pushed" : "pulled", now }),
      this.backing.observer(now),
      this.backing.redaction(redact),
    ]);
    let prepared: Prepared | undefined;
    const recorded = await recordWrite(this.backing.port, {
      branch,
      mode: MODES[mode],
      now,
      document: async (open) => {
        prepared = await prepare(contentOf(input, MODES[mode]), place, observe, { open, redaction });
        const { written, intent, delivery } = prepared.document.meta;
        return { bytes: prepared.bytes, written, intent, delivery };
      },
    });
    const { id, handle, ref, path, commit, superseded } = recorded;
    const noted = await this.backing.note(input.lessons ?? [], { branch, now, redaction });
    const warnings = [...(prepared?.warnings ?? []), ...leftOpen(recorded.skipped), ...noted.warnings];
    return { id, handle, ref, path, commit, superseded, lessons: noted.path, warnings };
  }

  async close(ids: readonly string[] = [], { reason }: { reason?: string } = {}): Promise<Ended> {
    const items = ids.length > 0 ? await this.find(ids) : await this.openHere();
    const why = oneLine(reason ?? "") || null;
    return ended(await closeItems(this.backing.port, { items, reason: why, now: this.now() }), "closed");
  }

  async ack(
    ids: readonly string[],
    { reason, decline = false }: { reason?: string; decline?: boolean } = {},
  ): Promise<Ended> {
    const items = await this.find(ids);
    const why = oneLine(reason ?? "") || null;
    return ended(
      await ackItems(this.backing.port, { items, decline, reason: why, now: this.now() }),
      "acked",
    );
  }

  private async find(ids: readonly string[]): Promise<Item[]> {
    const branch = await this.backing.branch();
    const items: Item[] = [];
    for (const id of ids) items.push(await findItem(this.backing.port, id, { branch }));
    return items;
  }

  private async openHere(): Promise<Item[]> {
    const branch = await this.backing.branch();
    if (branch === null) throw new NegativeError("Not on a branch; name the handoff to close.");
    const items = (await readLive(this.backing.port, branch)).items.filter(({ state }) => state === "open");
    if (items.length === 0) throw new NegativeError(`No open handoff for ${branch}.`);
    return items;
  }
}

async function checked(content: HandoffContent): Promise<HandoffContent> {
  const { describeInputErrors, inputSchema } = await import("../document/schema.js");
  const parsed = inputSchema.safeParse(content);
  if (!parsed.success) throw new UsageError(describeInputErrors(parsed.error, content).join("\n"));
  return parsed.data as HandoffContent;
}

/** The store hands items back as it found them. */
function ended({ changed, already }: Moved, state: "closed" | "acked"): Ended {
  return { changed: changed.map((item) => summaryOf({ ...item, state })), already: already.map(summaryOf) };
}
