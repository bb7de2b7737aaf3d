/** Everything that changes a log. Each call is one commit a log, recorded by compare-and-swap, started again from the join when a race is lost. */
export { ackItems, closeItems, type Moved } from "./close.js";
export { type ImportedDocument, recordImport } from "./import.js";
export { moveBranch } from "./move.js";
export { reopenItem } from "./reopen.js";
export { type NewDocument, type Recorded, type RecordOptions, recordWrite } from "./write.js";
