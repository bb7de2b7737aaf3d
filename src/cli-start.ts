/** Starts the command line's program (cli-main.ts or cli-list.ts). */
import { runCached } from "./code-cache.js";

/** Digest of both programs and their libraries, filled in by build.mjs. */
declare const __PROGRAM__: string;

/** What is called often, or by programs: each has a cache of its own. */
const OFTEN = /^(?:ack|check|close|inbox|list|log|read|send|show|sync|write)$/;

const [word = ""] = process.argv.slice(2);
const use = OFTEN.test(word) ? `cli-${word}` : "cli";
const main = word === "list" || word === "log" ? "cli-list" : "cli-main";
runCached({ folder: __dirname, main, digest: __PROGRAM__, use }, require);
