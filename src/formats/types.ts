/** Words shared by everything that reads or writes other tools' handoffs. */
import type { HandoffDocument } from "../document/types.js";
import type { State } from "../store/types.js";

/** The formats a handoff can be written back in. */
export const EXPORT_FORMATS = ["park", "evidence", "inbox"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What a file turned out to be. `git-handoff` is a document of our own, as `show --raw` prints it. */
export type Form = ExportFormat | "git-handoff" | "markdown" | "yaml";

/** One file as read, with nothing that is true of this machine alone but its path. */
export interface SourceFile {
  /** Absolute. */
  path: string;
  /** Its last component. */
  name: string;
  /** Without BOM, line ends as LF. */
  text: string;
}

/** What a document says about its branch; a repository tells what that comes to. */
export type BranchHint =
  | { kind: "branch"; name: string }
  /** A branch's name with every `/` written as `-`. */
  | { kind: "slug"; slug: string }
  | { kind: "repository" }
  | { kind: "unknown" };

/** A file understood. Everything here depends on the file alone. */
export interface Understood {
  form: Form;
  document: HandoffDocument;
  state: State;
  branch: BranchHint;
  /** Frontmatter keys that the file's own fields became. */
  understood: string[];
  /** What has no place there and stands in the body. */
  body: string[];
  warnings: string[];
  /** E-mail addresses that are the document's own people and stay when it is redacted. */
  people: string[];
  /** When and how it ended, where the file says so; one line. */
  reason?: string;
}

/** A file that cannot be taken in; the message is one line without the path. */
export class NotTaken extends Error {
  override name = "NotTaken";
}
