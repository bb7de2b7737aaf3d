/** Which names git takes for a ref. */

/**
 * The rules of git check-ref-format for a full name. Also what keeps a name from leaving the refs folder, or
 * from being read as more than one command.
 */
export function isRefName(name: string): boolean {
  // biome-ignore format: one rule a line
  return /^refs\/./.test(name) &&
    !/[\x00-\x20\x7f~^:?*[\\]/.test(name) &&
    !name.includes("..") &&
    !name.includes("@{") &&
    !name.endsWith(".") &&
    name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** Throws TypeError for a name git would refuse, or for one ref named twice. */
export function checkRefNames(names: readonly string[]): void {
  for (const name of names) {
    if (!isRefName(name)) throw new TypeError(`not a ref name: '${name}'`);
  }
  if (new Set(names).size !== names.length) throw new TypeError("a ref is updated twice at once");
}

/** A reflog message or reason as git stores it: one line, never empty. */
export function reflogMessage(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]+/g, " ").trim() || "handoff";
}
