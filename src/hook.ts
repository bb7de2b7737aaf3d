/** Starts the hook's program (hook-main.ts). */
import { runCached } from "./code-cache.js";

/** Digest of hook-main.cjs, filled in by build.mjs. */
declare const __PROGRAM__: string;

runCached({ folder: __dirname, main: "hook-main", digest: __PROGRAM__, use: "hook" }, require);
