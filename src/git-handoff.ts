// The program where no shell reads git-handoff.sh first (Windows, or `node git-handoff.js`). What agents' hooks call goes
// to the small bundle; everything else to the command line.
import { createRequire } from "node:module";

const small = ["session-start", "post-checkout"].includes(process.argv[2] ?? "");
createRequire(import.meta.url)(small ? "./hook.cjs" : "./cli.cjs");
