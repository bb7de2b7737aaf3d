/** Open documents that no reader can show: reported and skipped, by whoever reads and by whoever writes. */
import type { Item } from "./types.js";

/** Named in one message at most. */
const NAMED = 5;

/** Is it here, but broken (malformed, too large)? What is merely not downloaded is not. */
export function isSkipped({ fault }: Pick<Item, "fault">): boolean {
  return fault === "malformed" || fault === "oversize";
}

/** What a new document leaves as it is, and the way out. */
export function leftOpen(items: readonly Item[]): string[] {
  const absent = items.filter((item) => !isSkipped(item)).map(({ handle }) => handle);
  const named = absent.slice(0, NAMED).join(", ") + (absent.length > NAMED ? ", ..." : "");
  return [
    ...waysOut(items.filter(isSkipped)),
    ...(absent.length > 0 ? [`not downloaded and left open: ${named}; git handoff fetch brings it`] : []),
  ];
}

/** The way to look at them and to be done with them, by `close` or `ack`: a line for each verb that is needed. */
export function waysOut(items: readonly Pick<Item, "handle" | "state">[]): string[] {
  return (["open", "inbox"] as const).flatMap((state) => {
    const handles = items.filter((item) => item.state === state).map(({ handle }) => handle);
    const [first] = handles;
    if (first === undefined) return [];
    const verb = state === "open" ? "close" : "ack";
    if (handles.length === 1) {
      return [
        `${first} cannot be read: git handoff show ${first} prints it, git handoff ${verb} ${first} puts it away`,
      ];
    }
    const named = handles.slice(0, NAMED).join(" ");
    const rest = handles.length > NAMED ? " (git handoff list names the others)" : "";
    return [
      `${handles.length} cannot be read: git handoff show ${first} prints the first, git handoff ${verb} ${named} puts them away${rest}`,
    ];
  });
}
