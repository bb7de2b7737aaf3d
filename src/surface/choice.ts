/** What the user's settings say about how a hook shows things. Pure; on the hot path. */

interface Settings {
  get(key: string): string | undefined;
}

export type SurfaceForm = "full" | "brief" | "off";

/** `handoff.surface`; what is no form of ours counts as not set. */
export function surfaceForm(config: Settings): SurfaceForm {
  const value = config.get("handoff.surface")?.toLowerCase();
  return value === "off" || value === "brief" ? value : "full";
}

/** git's rules for colour: `color.handoff`, else `color.ui`; by themselves only on a terminal that can. */
export function wantsHookColor(
  config: Settings,
  env: Readonly<Record<string, string | undefined>>,
  terminal: boolean,
): boolean {
  if (env.NO_COLOR) return false;
  const value = (config.get("color.handoff") ?? config.get("color.ui") ?? "auto").toLowerCase();
  if (value === "always") return true;
  if (["never", "false", "no", "off", "0"].includes(value)) return false;
  return terminal && env.TERM !== "dumb";
}
