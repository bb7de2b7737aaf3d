/** The surface block: what people and agents see of a report. Pure. */
import type { Report } from "./report.js";

export interface SurfaceOptions {
  /** Characters at most; without it nothing is cut. */
  limit?: number;
  color?: boolean;
  /** `brief`: one line a handoff. */
  form?: "full" | "brief";
}

/** Characters an agent gets at most; the agents themselves cut at 10,000. */
export const AGENT_LIMIT = 8000;

/** A report as text, ending with a newline; "" when there is nothing to show. */
export function surfaceText(report: Report, options: SurfaceOptions = {}): string {
  throw new Error(`not built yet ${report.format} ${options.limit}`);
}
