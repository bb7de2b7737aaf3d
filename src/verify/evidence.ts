/** What proves a claim of work done: seen when it is written, and checked when it is read. */
export { type Claimed, checkEvidence, type EvidenceResult } from "./evidence/check.js";
export { type Observation, observeEvidence } from "./evidence/observe.js";
export { type Evidence, parseEvidence } from "./evidence/parse.js";
