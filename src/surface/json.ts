/** A report as JSON: every key always there, in one order. Pure. */
import type { Report } from "./report.js";

/** The object `--json` prints. */
export function reportJson(report: Report): Record<string, unknown> {
  throw new Error(`not built yet ${report.format}`);
}
