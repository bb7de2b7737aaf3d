/** A push or fetch in git's manner: one line per ref. */
import { oneLine } from "../document/strip.js";
import type { Fetched } from "./fetch.js";
import type { PushedRef } from "./porcelain.js";
import type { Pushed } from "./push.js";

const FLAG: Readonly<Record<PushedRef["status"], string>> = {
  new: "*",
  updated: " ",
  "up-to-date": "=",
  deleted: "-",
  rejected: "!",
};

/** `To <remote>` and the refs; "" when nothing was sent and nothing refused. */
export function renderPushed(pushed: Pushed): string {
  const lines = pushed.refs
    .filter(({ status }) => status !== "up-to-date")
    .map(({ ref, status, summary, reason }) => {
      const arrow = status === "deleted" ? oneLine(ref) : `${oneLine(ref)} -> ${oneLine(ref)}`;
      return ` ${FLAG[status]} ${oneLine(summary).padEnd(17)} ${arrow}${reason === null ? "" : ` (${oneLine(reason)})`}`;
    });
  return lines.length === 0 ? "" : `To ${oneLine(pushed.remote)}\n${lines.join("\n")}\n`;
}

/** `From <remote>` and the refs; "" when nothing came. */
export function renderFetched(fetched: Fetched): string {
  const lines = fetched.refs.map(({ ref, status, from, to }) => {
    const source = oneLine(ref.replace(/^refs\/handoff-remotes\//, "refs/handoff/").replace(/\/[^/]*$/, ""));
    const summary =
      status === "new"
        ? "[new ref]"
        : status === "removed"
          ? "[deleted]"
          : `${from?.slice(0, 7)}..${to?.slice(0, 7)}`;
    const flag = status === "new" ? "*" : status === "removed" ? "-" : " ";
    return ` ${flag} ${summary.padEnd(17)} ${source} -> ${oneLine(ref)}`;
  });
  return lines.length === 0 ? "" : `From ${oneLine(fetched.remote)}\n${lines.join("\n")}\n`;
}
