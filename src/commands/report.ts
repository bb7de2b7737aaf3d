/** How commands put a report on stdout. */
import { reportJson } from "../surface/json.js";
import type { Report } from "../surface/report.js";
import { AGENT_LIMIT, surfaceText } from "../surface/text.js";
import { wantsColor } from "../terminal/color.js";
import { writePaged } from "../terminal/pager.js";
import { type Context, writeJson } from "./context.js";

export function writeReportJson(context: Context, report: Report): void {
  writeJson(context, reportJson(report));
}

/** The surface block, whole on a terminal, cut to what an agent takes elsewhere; `after` follows it. */
export async function writeSurface(
  context: Context,
  report: Report,
  { after = "", whole = false }: { after?: string; whole?: boolean } = {},
): Promise<void> {
  const limit = context.stdout.isTTY || whole ? undefined : AGENT_LIMIT;
  const text = surfaceText(report, { limit, color: await wantsColor(context) });
  await writePaged(text === "" || after === "" ? text + after : `${text}\n${after}`, context);
}
