/** What `git push --porcelain` answers for each ref. */

export interface PushedRef {
  ref: string;
  status: "new" | "updated" | "up-to-date" | "deleted" | "rejected";
  /** git's summary: `[new reference]`, `abc..def`, `[rejected]`. */
  summary: string;
  /** git's reason for a refusal, e.g. `pre-receive hook declined`; null when none was given. */
  reason: string | null;
}

const STATUS: Readonly<Record<string, PushedRef["status"]>> = {
  "*": "new",
  " ": "updated",
  "+": "updated",
  "=": "up-to-date",
  "-": "deleted",
  "!": "rejected",
};

/** Lines of the form `<flag>\t<from>:<to>\t<summary> (<reason>)`; everything else is git talking. */
export function parsePushed(stdout: string): PushedRef[] {
  return stdout.split("\n").flatMap((line) => {
    const match = /^([ +\-*!=])\t[^\t]*:([^\t]+)\t(.*)$/.exec(line);
    const status = match?.[1] === undefined ? undefined : STATUS[match[1]];
    if (!status || !match?.[2]) return [];
    const [, summary, reason] = /^(.*?)(?: \((.*)\))?$/.exec(match[3] ?? "") ?? [];
    return [{ ref: match[2], status, summary: summary ?? "", reason: reason ?? null }];
  });
}
