/** Keys that the tool itself sets for each document: of the moment and place of writing, not of the content. */
export const OWN_KEYS = [
  "handoff",
  "task_key",
  "project",
  "repository",
  "delivery",
  "written",
  "author",
  "harness",
  "session",
  "git",
  "dirty_files",
] as const;
