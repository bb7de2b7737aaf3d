/** Asks everything a set of documents claims, side by side, and writes the answers into a report. */
import { parseSections } from "../document/sections.js";
import type { HandoffDocument, Rejection, Watch } from "../document/types.js";
import { append } from "../store/append.js";
import type { Item } from "../store/types.js";
import type {
  EvidenceVerdict,
  Freshness,
  HandoffReport,
  InboxReport,
  WatchReport,
} from "../surface/report.js";
import { type Claimed, checkEvidence } from "../verify/evidence.js";
import type { Facts } from "../verify/facts.js";
import { checkFreshness } from "../verify/freshness.js";
import { checkDestination, checkOrigins } from "../verify/origin.js";
import { checkPredicates, type PredicateResult } from "../verify/predicate/check.js";
import { isLowInfo } from "../verify/predicate/lowinfo.js";
import { checkWatches } from "../verify/watches.js";
import type { Ground } from "./ground.js";

/** An item whose document could be parsed. */
export type ReadItem = Item & { document: HandoffDocument };

export function isReadable(item: Item): item is ReadItem {
  return item.document !== null;
}

/** What may be asked on behalf of a document, or why nothing may. */
type Asked = { facts: Facts; note: null } | { facts: null; note: string };

/** Journal documents with all verdicts, in the order given. */
export async function checkHandoffs(items: readonly ReadItem[], ground: Ground): Promise<HandoffReport[]> {
  const asked = await Promise.all(items.map((item) => askedOf(item, ground)));
  const here = items.map(() => askedHere(ground));
  const [rejections, artifacts, freshness, watches] = await Promise.all([
    checkEach(items, asked, rejectionsOf, predicatesOrWhy),
    checkEach(items, asked, claimsOf, evidenceOrWhy),
    freshnessOf(items, ground),
    checkEach(items, here, watchesOf, watchesOrWhy),
  ]);
  return items.map((item, i) =>
    handoffReport(item, ground, {
      rejections: rejections[i] ?? [],
      artifacts: artifacts[i] ?? [],
      freshness: freshness[i] ?? uncompared(ground.why),
      watches: watches[i] ?? [],
    }),
  );
}

/** Inbox documents with the two checks, breaking ones first, else in the order given. */
export async function checkInbox(items: readonly ReadItem[], ground: Ground): Promise<InboxReport[]> {
  if (items.length === 0) return [];
  const [destinations, origins] = await Promise.all([
    ground.facts === null
      ? []
      : checkDestination(
          items.map((item) => item.document.meta),
          ground.facts,
        ),
    originsOf(items, ground),
  ]);
  const reports = items.map((item, i): InboxReport => {
    const { meta, body } = item.document;
    return {
      id: item.id,
      handle: item.handle,
      breaking: meta.breaking === true,
      intent: meta.intent,
      impact: parseSections(body).impact,
      author: meta.author,
      written: meta.written,
      from: meta.from ?? null,
      origin: origins[i] ?? { ancestry: "unchecked", note: null },
      destination: destinations[i] ?? { ancestry: "unknown", note: ground.why },
      own: isOwn(meta.author, ground),
      relation:
        meta.from === undefined
          ? null
          : (ground.config.get(`handoff.repo.${meta.from.repo}.relation`) ?? null),
    };
  });
  return [...reports.filter((r) => r.breaking), ...reports.filter((r) => !r.breaking)];
}

function uncompared(why: string): Freshness {
  return { stale: false, ancestry: "unknown", behind: null, as: null, ageDays: null, note: why };
}

/** Repositories that one read opens to ask where inbox items came from; each takes some five processes. */
const MAX_ORIGINS = 8;

/** The first check of each item, asked once of each origin; origins of breaking items come first. */
async function originsOf(items: readonly ReadItem[], ground: Ground): Promise<InboxReport["origin"][]> {
  const verdicts = items.map((): InboxReport["origin"] => ({
    ancestry: "unchecked",
    note: "written from this repository",
  }));
  const groups = new Map<string, number[]>();
  for (const breaking of [true, false]) {
    items.forEach(({ document: { meta } }, i) => {
      if (meta.from === undefined || (meta.breaking === true) !== breaking) return;
      const key = `${meta.from.repo}\0${meta.from.project}`;
      append(groups, key, i);
    });
  }
  const asked = [...groups.values()].map(async (members, n) => {
    const froms = members.flatMap((i) => items[i]?.document.meta.from ?? []);
    const [first] = froms;
    if (first === undefined) return;
    const found = n < MAX_ORIGINS ? await checkOrigins(froms, await ground.origin(first)) : [];
    members.forEach((i, at) => {
      verdicts[i] = found[at] ?? { ancestry: "unchecked", note: "not asked: too many origins" };
    });
  });
  await Promise.all(asked);
  return verdicts;
}

async function askedOf(item: ReadItem, ground: Ground): Promise<Asked> {
  const { from } = item.document.meta;
  return from === undefined ? askedHere(ground) : ground.origin(from);
}

function askedHere(ground: Ground): Asked {
  return ground.facts === null ? { facts: null, note: ground.why } : { facts: ground.facts, note: null };
}

/**
 * Checks the parts of all documents in one call for each set of facts, so that bounds hold over all of them
 * together, and hands the results back by document.
 */
async function checkEach<Part, Result>(
  items: readonly ReadItem[],
  asked: readonly Asked[],
  partsOf: (item: ReadItem) => readonly Part[],
  check: (parts: Part[], asked: Asked) => Promise<Result[]>,
): Promise<Result[][]> {
  const groups = new Map<Facts | string, number[]>();
  asked.forEach((a, i) => {
    const key = a.facts ?? a.note;
    append(groups, key, i);
  });
  const results: Result[][] = items.map(() => []);
  await Promise.all(
    [...groups.values()].map(async (members) => {
      const parts = members.flatMap((i) => (items[i] ? partsOf(items[i]).map((part) => ({ i, part })) : []));
      const first = asked[members[0] ?? 0];
      if (parts.length === 0 || first === undefined) return;
      const found = await check(
        parts.map(({ part }) => part),
        first,
      );
      parts.forEach(({ i }, n) => {
        const result = found[n];
        if (result !== undefined) results[i]?.push(result);
      });
    }),
  );
  return results;
}

const rejectionsOf = (item: ReadItem): readonly Rejection[] => item.document.meta.rejections;
const watchesOf = (item: ReadItem): readonly Watch[] => item.document.meta.watches;
/** With the document's commit, from which git can tell where a missing file went. */
const claimsOf = (item: ReadItem): readonly Claimed[] => {
  const { artifacts, git, from } = item.document.meta;
  return artifacts.map((artifact) => ({ ...artifact, since: from?.git ?? git }));
};

async function predicatesOrWhy(rejections: Rejection[], { facts, note }: Asked): Promise<PredicateResult[]> {
  if (facts !== null) return checkPredicates(rejections, facts);
  return rejections.map((rejection) => ({
    verdict: "cannot-evaluate",
    note,
    low_info: isLowInfo(rejection),
  }));
}

async function evidenceOrWhy(
  claims: Claimed[],
  { facts, note }: Asked,
): Promise<{ verdict: EvidenceVerdict; note: string | null }[]> {
  if (facts !== null) return checkEvidence(claims, facts);
  return claims.map(() => ({ verdict: "unchecked", note }));
}

async function freshnessOf(items: readonly ReadItem[], ground: Ground): Promise<Freshness[]> {
  if (ground.facts === null || items.length === 0) return [];
  const commits = items.map(({ document: { meta } }) => ({ git: meta.git, written: meta.written }));
  return checkFreshness(commits, ground.facts, ground.known);
}

async function watchesOrWhy(watches: Watch[], { facts, note }: Asked): Promise<WatchReport[]> {
  if (facts !== null) return checkWatches(watches, facts);
  return watches.map((watch) => ({ ...watch, due: null, note: watch.note ?? note }));
}

interface Verdicts {
  rejections: PredicateResult[];
  artifacts: { verdict: EvidenceVerdict; note: string | null }[];
  freshness: Freshness;
  watches: WatchReport[];
}

function handoffReport(item: ReadItem, ground: Ground, verdicts: Verdicts): HandoffReport {
  const { meta, body } = item.document;
  const { state, impact, next, pointers, skills } = parseSections(body);
  return {
    id: item.id,
    handle: item.handle,
    state: item.state,
    writer: item.writer,
    author: meta.author,
    written: meta.written,
    harness: meta.harness,
    intent: meta.intent,
    goal: meta.goal,
    summary: meta.summary ?? null,
    sections: { state, impact, next, pointers, skills },
    git: meta.git,
    dirty_files: meta.dirty_files ?? null,
    from: meta.from ?? null,
    session: meta.session,
    allowance: meta.allowance,
    links: meta.links,
    work: meta.work ?? null,
    observed: meta.observed ?? null,
    spans: meta.spans ?? null,
    freshness: verdicts.freshness,
    rejections: meta.rejections.map((rejection, i) => rejectionReport(rejection, verdicts.rejections[i])),
    artifacts: meta.artifacts.map((artifact, i) => ({
      claim: artifact.claim,
      evidence: artifact.evidence,
      verdict: verdicts.artifacts[i]?.verdict ?? "unchecked",
      withdrawn: artifact.withdrawn ?? null,
      note: verdicts.artifacts[i]?.note ?? null,
    })),
    unresolved: meta.unresolved.map(({ kind, text, withdrawn }) => ({
      kind,
      text,
      withdrawn: withdrawn ?? null,
    })),
    watches: verdicts.watches,
    own: isOwn(meta.author, ground),
  };
}

function rejectionReport(
  rejection: Rejection,
  result: PredicateResult | undefined,
): HandoffReport["rejections"][number] {
  const verdict = result?.verdict ?? "cannot-evaluate";
  const low_info = result?.low_info ?? false;
  const withdrawn = rejection.withdrawn ?? null;
  return {
    kind: rejection.kind,
    claim: rejection.claim,
    anchor: rejection.anchor,
    predicate: rejection.predicate,
    fallback: rejection.fallback,
    low_info,
    withdrawn,
    verdict,
    gating: verdict === "holds" && !low_info && withdrawn === null,
    note: result?.note ?? null,
  };
}

/** By e-mail, as git tells people apart; null where either is not known. */
function isOwn(author: string, ground: Ground): boolean | null {
  const email = /<([^<>]+)>\s*$/.exec(author)?.[1]?.toLowerCase();
  return email === undefined || ground.email === null ? null : email === ground.email;
}
