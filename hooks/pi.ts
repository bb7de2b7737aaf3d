// Installed by git handoff: shows an open handoff at the start of a session in pi.
import { execFile } from "node:child_process";

interface Pi {
  on(
    event: string,
    handler: (event: { reason?: string }, context: { cwd: string }) => Promise<unknown> | undefined,
  ): void;
}

function surface(cwd: string, source: string): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(
      "git",
      ["handoff", "session-start", "--agent", "pi"],
      { cwd, timeout: 5000 },
      (error, stdout) => resolve(error ? "" : stdout),
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end(JSON.stringify({ cwd, source }));
  });
}

export default function handoff(pi: Pi): void {
  let pending: Promise<string> | undefined;
  pi.on("session_start", (event, { cwd }) => {
    if (event.reason !== "reload") pending = surface(cwd, event.reason ?? "startup");
    return undefined;
  });
  pi.on("before_agent_start", async () => {
    const text = await pending;
    pending = undefined;
    return text ? { message: { customType: "git-handoff", content: text, display: true } } : undefined;
  });
}
