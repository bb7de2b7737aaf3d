/** What a surface has to warn of: the report's own warnings, then what to do where they leave one standing. Pure. */
import { isSkipped, waysOut } from "../store/skipped.js";
import type { Report } from "./report.js";

export function warningsOf({ warnings, unread = [] }: Report): string[] {
  return [...warnings, ...waysOut(unread.filter(isSkipped))];
}
