/** What a read found, as data. `read --json` prints this; the surface block is drawn from it. */
import type {
  Allowance,
  Link,
  Observed,
  Origin,
  RejectionKind,
  Session,
  Span,
  UnresolvedKind,
  Work,
} from "../document/types.js";
import type { State } from "../store/types.js";
import type {
  EvidenceVerdict,
  Freshness,
  InboxVerdicts,
  PredicateVerdict,
  WatchReport,
} from "../verify/verdict.js";

export type {
  Ancestry,
  EvidenceVerdict,
  Freshness,
  InboxVerdicts,
  PredicateVerdict,
  WatchReport,
} from "../verify/verdict.js";

export interface RejectionReport {
  kind: RejectionKind;
  claim: string;
  anchor: string | null;
  predicate: string;
  fallback: string;
  low_info: boolean;
  withdrawn: string | null;
  verdict: PredicateVerdict;
  /** True only for a holding, non-low-info, non-withdrawn rejection. */
  gating: boolean;
  note: string | null;
}

export interface ArtifactReport {
  claim: string;
  evidence: string;
  verdict: EvidenceVerdict;
  withdrawn: string | null;
  note: string | null;
}

export interface UnresolvedReport {
  kind: UnresolvedKind;
  text: string;
  withdrawn: string | null;
}

export interface HandoffReport {
  id: string;
  handle: string;
  state: State;
  writer: string;
  author: string;
  written: string;
  harness: string;
  intent: string;
  goal: string | null;
  summary: string | null;
  sections: {
    state: string | null;
    impact: string | null;
    next: string[];
    pointers: string[];
    skills: string | null;
  };
  git: string;
  dirty_files: string[] | null;
  /** Origin, when another repository's; its predicates and evidence are asked there. */
  from: Origin | null;
  session: Session;
  allowance: Allowance | "unknown";
  links: Link[];
  work: Work[] | null;
  observed: Observed | null;
  spans: Span[] | null;
  freshness: Freshness;
  rejections: RejectionReport[];
  artifacts: ArtifactReport[];
  unresolved: UnresolvedReport[];
  watches: WatchReport[];
  /** Written by the user of this clone; null where that cannot be told. Not part of the JSON. */
  own: boolean | null;
}

export interface InboxReport extends InboxVerdicts {
  id: string;
  handle: string;
  breaking: boolean;
  intent: string;
  impact: string | null;
  author: string;
  written: string;
  from: Origin | null;
  /** As in HandoffReport. */
  own: boolean | null;
  /** `handoff.repo.<name>.relation` of the origin: why it talks to us. Not part of the JSON. */
  relation: string | null;
}

export interface Report {
  format: 1;
  /** null when detached. */
  branch: string | null;
  /** null before the first commit. */
  head: string | null;
  handoffs: HandoffReport[];
  inbox: InboxReport[];
  warnings: string[];
  /** Open handoffs of the branch that were not read, as there are too many. Not part of the JSON. */
  left?: number | undefined;
  /** What is open but could not be shown: broken, or not downloaded where `fault` is null. Not part of the JSON. */
  unread?: { handle: string; state: State; fault: "malformed" | "oversize" | null }[];
}
