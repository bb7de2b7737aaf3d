/** What was answered so far, redacted, in the user's state folder: an interrupted write goes on from there. */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { redactText } from "../../document/redact.js";
import { stateFolder } from "../../read/shown.js";
import type { Target } from "../making.js";
import type { Content } from "../prepare.js";
import type { RedactionFor } from "../redaction.js";

export interface Draft {
  format: 1;
  /** ISO 8601. */
  saved: string;
  content: Content;
  /** Names of the steps that are done. */
  answered: string[];
  /** A rejection that was being answered. */
  pending: Record<string, unknown> | null;
}

export class DraftFile {
  private constructor(
    readonly path: string,
    private readonly redaction: RedactionFor,
  ) {}

  /** One for each repository, branch and delivery. */
  static of(
    commonDir: string,
    target: Target,
    env: Readonly<NodeJS.ProcessEnv>,
    redaction: RedactionFor,
  ): DraftFile {
    const key = createHash("sha256").update(`${commonDir}\0${target.branch}\0${target.delivery}`);
    return new DraftFile(
      join(stateFolder(env), "drafts", `${key.digest("hex").slice(0, 32)}.json`),
      redaction,
    );
  }

  /** The draft left behind; null when there is none that can be read. */
  async load(): Promise<Draft | null> {
    try {
      const draft = JSON.parse(await readFile(this.path, "utf8")) as Partial<Draft>;
      const complete =
        draft.format === 1 && Array.isArray(draft.answered) && typeof draft.content?.input === "object";
      return complete ? (draft as Draft) : null;
    } catch {
      return null;
    }
  }

  /** Never fails: a draft is a courtesy, not a reason to stop writing. */
  async save(draft: Draft): Promise<boolean> {
    try {
      const known = await this.redaction(JSON.stringify(draft));
      const redacted = await mapTexts(draft, async (text) => (await redactText(text, known)).text);
      await mkdir(join(this.path, ".."), { recursive: true, mode: 0o700 });
      const next = `${this.path}.${process.pid}.tmp`;
      await writeFile(next, `${JSON.stringify(redacted, null, 2)}\n`, { mode: 0o600 });
      await rename(next, this.path);
      return true;
    } catch {
      return false;
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true }).catch(() => undefined);
  }
}

/** The same value with every text in it replaced. */
async function mapTexts(value: unknown, replace: (text: string) => Promise<string>): Promise<unknown> {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => mapTexts(item, replace)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await mapTexts(item, replace)]);
  return Object.fromEntries(await Promise.all(entries)) as unknown;
}
