/** A repository's configuration as git sees it, read in one process. */

export type ConfigScope = "system" | "global" | "local" | "worktree" | "command";

export interface ConfigEntry {
  scope: ConfigScope;
  /** Section and name lower-cased, subsection as written: `branch.Feat.remote`. */
  key: string;
  /** null: a key without `=`, which git takes for true. */
  value: string | null;
}

export class Config {
  constructor(readonly entries: readonly ConfigEntry[]) {}

  /** The last value, as git takes it; undefined when not set. */
  get(_key: string, _scope?: ConfigScope): string | undefined {
    throw new Error("not built yet");
  }
  /** All values in order. */
  getAll(_key: string, _scope?: ConfigScope): string[] {
    throw new Error("not built yet");
  }
  /** git's booleans; undefined when not set or no boolean. */
  getBoolean(_key: string): boolean | undefined {
    throw new Error("not built yet");
  }
  /** git's numbers (`k`, `m`, `g` understood); undefined when not set or no number. */
  getNumber(_key: string): number | undefined {
    throw new Error("not built yet");
  }
  /** Subsection names of a section, e.g. the remotes: `subsections("remote")`. */
  subsections(_section: string): string[] {
    throw new Error("not built yet");
  }
}
