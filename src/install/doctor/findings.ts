/** What doctor has to say. */
export interface Finding {
  /** `error`: handoffs are lost or never shown; `warning`: look at it; `note`: good to know. */
  level: "error" | "warning" | "note";
  /** A stable word for programs, e.g. `refspec-onto-handoffs`. */
  code: string;
  /** One line. */
  message: string;
  /** What to do; null where there is nothing to do. */
  remedy: string | null;
}

export function finding(
  level: Finding["level"],
  code: string,
  message: string,
  remedy: string | null = null,
): Finding {
  return { level, code, message, remedy };
}
