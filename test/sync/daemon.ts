// A git daemon for one test.
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { onTestFinished } from "vitest";

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Serves the folder that a bare repository lies in; returns that repository's `git://` URL. Ends with the test. */
export async function serve(hub: string, options: { write: boolean }): Promise<string> {
  const port = await freePort();
  const child = spawn(
    "git",
    [
      "daemon",
      "--reuseaddr",
      "--export-all",
      "--listen=127.0.0.1",
      `--port=${port}`,
      "--verbose",
      "--log-destination=stderr",
      ...(options.write ? ["--enable=receive-pack"] : []),
      `--base-path=${dirname(hub)}`,
      dirname(hub),
    ],
    { stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  onTestFinished(() => {
    // git is only the daemon's starter: the whole group ends.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  });
  await ready(child);
  return `git://127.0.0.1:${port}${hub.slice(dirname(hub).length)}`;
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
      if (said.includes("Ready to rumble")) resolve();
    });
    child.on("exit", () => reject(new Error(`git daemon ended: ${said}`)));
  });
}
