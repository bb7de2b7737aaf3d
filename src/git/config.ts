/** A repository's configuration as git sees it, read in one process. */
import { FatalError } from "../errors.js";
import { canonicalKey, parseBoolean } from "./config-file.js";
import type { RunGit } from "./process.js";

export type ConfigScope = "system" | "global" | "local" | "worktree" | "command";

export interface ConfigEntry {
  scope: ConfigScope;
  /** Section and name lower-cased, subsection as written: `branch.Feat.remote`. */
  key: string;
  /** null: a key without `=`, which git takes for true. */
  value: string | null;
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

export class Config {
  constructor(readonly entries: readonly ConfigEntry[]) {}

  /** One `git config --list`. Throws FatalError with git's own line when the configuration cannot be read. */
  static async read(run: RunGit): Promise<Config> {
    const { code, stdout, stderr } = await run(["config", "--list", "-z", "--show-scope"]);
    if (code !== 0) {
      throw new FatalError(
        stderr
          .trim()
          .split("\n")[0]
          ?.replace(/^(fatal|error): /, "") || "cannot read the configuration",
      );
    }
    const entries: ConfigEntry[] = [];
    const fields = stdout.toString("utf8").split("\0");
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const text = fields[at + 1] ?? "";
      const end = text.indexOf("\n");
      entries.push({
        scope: fields[at] as ConfigScope,
        key: end < 0 ? text : text.slice(0, end),
        value: end < 0 ? null : text.slice(end + 1),
      });
    }
    return new Config(entries);
  }

  private values(key: string, scope?: ConfigScope): (string | null)[] {
    const wanted = canonicalKey(key);
    return this.entries
      .filter((entry) => entry.key === wanted && (scope === undefined || entry.scope === scope))
      .map((entry) => entry.value);
  }

  /** The last value, as git takes it (a key without `=` is empty); undefined when not set. */
  get(key: string, scope?: ConfigScope): string | undefined {
    const values = this.values(key, scope);
    return values.length === 0 ? undefined : (values.at(-1) ?? "");
  }

  /** All values in order. */
  getAll(key: string, scope?: ConfigScope): string[] {
    return this.values(key, scope).map((value) => value ?? "");
  }

  /** git's booleans; undefined when not set or no boolean. */
  getBoolean(key: string): boolean | undefined {
    const values = this.values(key);
    return values.length === 0 ? undefined : parseBoolean(values.at(-1) ?? null);
  }

  /** git's numbers (`k`, `m`, `g` understood, fractions too); undefined when not set or no number. */
  getNumber(key: string): number | undefined {
    const match = /^([+-]?\d+(?:\.\d+)?)([kmg]?)$/i.exec(this.get(key)?.trim() ?? "");
    return match ? Number(match[1]) * (UNITS[(match[2] ?? "").toLowerCase()] ?? 1) : undefined;
  }

  /** Subsection names of a section in order of appearance, e.g. the remotes: `subsections("remote")`. */
  subsections(section: string): string[] {
    const prefix = `${section.toLowerCase()}.`;
    const names = new Set<string>();
    for (const { key } of this.entries) {
      const last = key.lastIndexOf(".");
      if (key.startsWith(prefix) && last > prefix.length - 1) names.add(key.slice(prefix.length, last));
    }
    return [...names];
  }
}
