/**
 * `git push` for handoff refs alone. Without these options it takes tags along, dies on a mirror remote or a
 * signing setting, or runs the user's pre-push hook on refs that are no code.
 */
export function pushCommand(remote: string): string[] {
  const options = [
    "--porcelain",
    "--no-verify",
    "--no-follow-tags",
    "--no-signed",
    "--no-recurse-submodules",
  ];
  return ["-c", `remote.${remote}.mirror=false`, "push", ...options];
}
