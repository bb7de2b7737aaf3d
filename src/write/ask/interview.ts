/** What the questions share: who is asked, where, and what was answered so far. */
import type { Item } from "../../store/types.js";
import type { Making } from "../making.js";
import type { Content } from "../prepare.js";
import type { DraftFile } from "./draft.js";
import type { Prompts } from "./prompts.js";

export class Interview {
  /** Names of the steps that are done. */
  readonly answered = new Set<string>();
  /** A rejection that is being answered. */
  pending: Record<string, unknown> | null = null;

  constructor(
    readonly prompts: Prompts,
    /** The place of writing as it was when last looked at. */
    public making: Making,
    private readonly look: () => Promise<Making>,
    /** The branch's open handoffs, oldest first. */
    readonly open: readonly Item[],
    public content: Content,
    private readonly draft: DraftFile,
  ) {}

  get input(): Content["input"] {
    return this.content.input;
  }

  /** Commits may have been made while the questions were answered. */
  async lookAgain(): Promise<void> {
    this.making = await this.look();
  }

  /** Takes answers in and saves the draft, so that whatever ends the program next, they are not lost. */
  async take(input: Content["input"]): Promise<void> {
    this.content = { ...this.content, input };
    await this.save();
  }

  /** Runs a step that was not done before the draft was left. */
  async step(name: string, ask: () => Promise<void>): Promise<void> {
    if (this.answered.has(name)) return;
    await ask();
    this.answered.add(name);
    await this.save();
  }

  async save(): Promise<boolean> {
    // An intent or something that took effort; else there is nothing to go on from.
    if (this.answered.size === 0 && this.pending === null) return false;
    return this.draft.save({
      format: 1,
      saved: new Date().toISOString(),
      content: this.content,
      answered: [...this.answered],
      pending: this.pending,
    });
  }
}
