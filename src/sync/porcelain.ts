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

/** A remote that moved: said by git, or by a server that was asked at the same moment by two. */
const RACE =
  /non-fast-forward|fetch first|stale info|reference already exists|failed to update ref|incorrect old value|cannot lock ref|failed to lock|refname conflict|failed to report status/;

/** Is it worth asking again after a look at what the remote has? Anything else is the remote's policy. */
export function isRace({ reason, status }: PushedRef): boolean {
  return status === "rejected" && reason !== null && RACE.test(reason);
}

/** The remote could not store what it got: full, read-only, or it got something broken. */
const STORAGE = /unpacker error/;

/** The remote itself said no, and would again. */
export function isPolicy(ref: PushedRef): boolean {
  const { status, summary, reason } = ref;
  return (
    status === "rejected" && summary.startsWith("[remote") && !isRace(ref) && !STORAGE.test(reason ?? "")
  );
}
