/**
 * The hot path of checkout and session start: one small bundle that loads nothing but Node's own modules.
 * Whatever happens it exits 0 and says at most one line about it: a checkout or a session must not suffer.
 */
import { end, writeOut } from "./read/hook-output.js";
import { postCheckout } from "./read/post-checkout.js";
import { lastWords, sessionStart } from "./read/session-start.js";

/** Milliseconds after which it is over, whatever is still under way. */
const LIMIT = 4_800;
const verb = process.argv[2];
/** hooks/post-checkout says that something is open when this ends with 1. */
const failed = verb === "post-checkout" ? 1 : 0;
setTimeout(() => {
  writeOut(lastWords());
  end(failed);
}, LIMIT).unref();
process.on("uncaughtException", () => end(failed));

const done = verb === "session-start" ? sessionStart(process.argv.slice(3)) : postCheckout(process.argv[3]);
done.then(
  () => end(0),
  () => end(failed),
);
