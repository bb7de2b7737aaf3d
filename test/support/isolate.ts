// Nothing of the machine's own git reaches a test: no GIT_*, an empty HOME, fixed identity and dates, and no
// maintenance in the background that would change a git directory while it is compared.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

for (const key of Object.keys(process.env)) {
  if (key.startsWith("GIT_") && !["GIT_SSL_CAINFO"].includes(key)) delete process.env[key];
}
for (const key of [
  "CLAUDECODE",
  "CLAUDE_CODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "AI_AGENT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_IS_COWORK",
  "CODEX_CI",
  "CODEX_SESSION_ID",
  "CODEX_SANDBOX",
  "CODEX_THREAD_ID",
  "CURSOR_TRACE_ID",
  "CURSOR_AGENT",
  "COPILOT_CLI",
  "CURSOR_EXTENSION_HOST_ROLE",
  "CURSOR_VERSION",
  "COPILOT_GITHUB_TOKEN",
  "GEMINI_CLI",
  "GEMINI_SESSION_ID",
  "ANTIGRAVITY_AGENT",
  "AUGMENT_AGENT",
  "OPENCODE",
  "OPENCODE_CLIENT",
  "PI_SESSION_ID",
  "REPL_ID",
  "XDG_STATE_HOME",
  "XDG_CONFIG_HOME",
  "NO_COLOR",
  "FORCE_COLOR",
  "EDITOR",
  "VISUAL",
]) {
  delete process.env[key];
}
const home = mkdtempSync(join(tmpdir(), "handoff-home-"));
writeFileSync(
  join(home, ".gitconfig"),
  '[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n[maintenance]\n\tauto = false\n[user]\n\tname = Ada Lovelace\n\temail = ada@example.com\n',
);
process.env.HOME = home;
process.env.XDG_STATE_HOME = join(home, "state");
process.env.GIT_CONFIG_NOSYSTEM = "1";
process.env.GIT_AUTHOR_DATE = "2026-05-01T10:00:00+00:00";
process.env.GIT_COMMITTER_DATE = "2026-05-01T10:00:00+00:00";
process.env.LC_ALL = "C.UTF-8";
process.env.TZ = "UTC";
