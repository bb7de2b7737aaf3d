/** Starts the command line's program (cli.ts). */
import { runCached } from "./code-cache.js";

/** Digest of cli-main.cjs and its libraries, filled in by build.mjs. */
declare const __PROGRAM__: string;

/** What is called often, or by programs: each has a cache of its own. */
const OFTEN = /^(?:ack|check|close|inbox|list|log|read|send|show|sync|write)$/;

const [word = ""] = process.argv.slice(2);
const use = OFTEN.test(word) ? `cli-${word}` : "cli";
runCached({ folder: __dirname, main: "cli-main", digest: __PROGRAM__, use }, require);
