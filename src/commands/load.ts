/** Where each command is. Loaded when it is called: what one needs, the others need not wait for. */
import type { Run } from "./context.js";

export type Loaders = Readonly<Record<string, () => Promise<{ run: Run }>>>;

export const LOADERS: Loaders = {
  read: () => import("./read.js"),
  check: () => import("./check.js"),
  write: () => import("./write.js"),
  send: () => import("./send.js"),
  inbox: () => import("./inbox.js"),
  list: () => import("./list.js"),
  show: () => import("./show.js"),
  log: () => import("./log.js"),
  ack: () => import("./ack.js"),
  close: () => import("./close.js"),
  reopen: () => import("./reopen.js"),
  push: () => import("./push.js"),
  fetch: () => import("./fetch.js"),
  sync: () => import("./sync.js"),
  mv: () => import("./mv.js"),
  prune: () => import("./prune.js"),
  redact: () => import("./redact.js"),
  install: () => import("./install.js"),
  uninstall: () => import("./uninstall.js"),
  doctor: () => import("./doctor.js"),
  import: () => import("./import.js"),
  export: () => import("./export.js"),
  schema: () => import("./schema.js"),
  lesson: () => import("./lesson.js"),
  completion: () => import("./completion.js"),
  "complete-handles": () => import("./complete-handles.js"),
  help: () => import("./help.js"),
};
