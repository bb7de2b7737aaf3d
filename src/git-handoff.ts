// The program, after git-handoff.sh. What agents' hooks call goes to the small bundle; everything else to the command line.
import module, { createRequire } from "node:module";

try {
  (module as { enableCompileCache?: () => void }).enableCompileCache?.();
} catch {}
if (["session-start", "post-checkout"].includes(process.argv[2] ?? ""))
  createRequire(import.meta.url)("./hook.cjs");
else await import("./cli.js");
