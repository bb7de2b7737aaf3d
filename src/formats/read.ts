/** From a file to a document, whatever its form. */
import { parseDocument } from "../document/parse.js";
import { isBranchName } from "../store/names.js";
import { detectForm } from "./detect.js";
import { evidenceFolder, readEvidence, saysEvidence } from "./evidence.js";
import { readInbox } from "./inbox.js";
import { readJsonFile, readMarkdown, readYamlFile } from "./other.js";
import { readPark } from "./park.js";
import { emailsIn } from "./people.js";
import { NotTaken, type SourceFile, type Understood } from "./types.js";

/** Pure. Throws NotTaken for what the format's own rules refuse. */
export function understand(file: SourceFile): Understood & { id?: string } {
  switch (detectForm(file)) {
    case "park":
      return readPark(file);
    case "inbox":
      return readInbox(file);
    case "git-handoff":
      return readOwn(file);
    case "yaml":
      return readYamlFile(file);
    case "json":
      return isEvidence(file) ? readEvidence(file) : readJsonFile(file);
    default:
      return readMarkdown(file);
  }
}

function isEvidence(file: SourceFile): boolean {
  return evidenceFolder(file.path) !== null || /^handoff-\d{8}T/.test(file.name) || saysEvidence(file.text);
}

/** A stored document that was printed to a file. */
function readOwn(file: SourceFile): Understood {
  const { document, warnings } = parseDocument(new TextEncoder().encode(file.text));
  if (document === null) throw new NotTaken(warnings[0] ?? "not readable");
  const { task_key, delivery } = document.meta;
  return {
    form: "git-handoff",
    document,
    state: delivery === "pushed" ? "inbox" : "open",
    branch:
      task_key === "HEAD"
        ? { kind: "repository" }
        : isBranchName(task_key) && task_key !== "unknown"
          ? { kind: "branch", name: task_key }
          : { kind: "unknown" },
    understood: ["everything"],
    body: [],
    warnings,
    // It went through redaction when it was written.
    people: emailsIn(file.text),
  };
}
