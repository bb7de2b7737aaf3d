// A bare repository over ssh: by a server of the machine's own sshd, where there is one.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { seed } from "../support/seed.js";
import { makeClone, makeHub, refs, view, writerOf } from "./support.js";

const SSHD = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find((path) => existsSync(path));
if (!SSHD)
  console.warn("SKIPPED: nothing is tested over ssh, there is no sshd here (apt-get install openssh-server)");

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Starts an sshd of our own; returns environments in which git is let in and is not, and the URL's beginning. */
async function serve(
  sshd: string,
): Promise<{ env: NodeJS.ProcessEnv; stranger: NodeJS.ProcessEnv; base: string }> {
  const dir = tempDir("sshd");
  const port = await freePort();
  for (const name of ["host", "user", "stranger"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(dir, name)]);
  writeFileSync(join(dir, "authorized"), readFileSync(join(dir, "user.pub")));
  const lines = {
    ListenAddress: `127.0.0.1:${port}`,
    HostKey: join(dir, "host"),
    AuthorizedKeysFile: join(dir, "authorized"),
    PidFile: "none",
    StrictModes: "no",
    UsePAM: "no",
    PermitRootLogin: "yes",
  };
  const config = Object.entries(lines).map(([key, value]) => `${key} ${value}\n`);
  writeFileSync(join(dir, "config"), config.join(""));
  // Needed by the server to drop what it may do; its package makes it only when the service starts.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
  const child = spawn(sshd, ["-D", "-e", "-f", join(dir, "config")], { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => {
    child.kill();
  });
  await listening(child);
  writeFileSync(join(dir, "known"), `[127.0.0.1]:${port} ${readFileSync(join(dir, "host.pub"), "utf8")}`);
  const as = (key: string) => {
    const ssh = join(dir, `ssh-${key}`);
    const options = `-o IdentitiesOnly=yes -o UserKnownHostsFile='${join(dir, "known")}' -o LogLevel=ERROR`;
    writeFileSync(ssh, `#!/bin/sh\nexec ssh -F none -i '${join(dir, key)}' ${options} "$@"\n`);
    chmodSync(ssh, 0o755);
    return { ...process.env, GIT_SSH: ssh, GIT_SSH_VARIANT: "ssh" };
  };
  return {
    env: as("user"),
    stranger: as("stranger"),
    base: `ssh://${userInfo().username}@127.0.0.1:${port}`,
  };
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
      if (said.includes("Server listening")) resolve();
    });
    child.on("exit", () => reject(new Error(`sshd ended: ${said}`)));
  });
}

test.skipIf(!SSHD)("push, fetch and send over ssh, and a key that is not accepted", async () => {
  const { env, stranger, base } = await serve(String(SSHD));
  const hub = makeHub();
  const [ada, bob] = [makeClone(hub), makeClone(hub)];
  for (const dir of [ada, bob]) git(dir, "remote", "set-url", "origin", `${base}${hub}`);
  await seed(ada);
  expect(handoff(ada, ["push"], { env })).toMatchObject({ code: 0, stderr: "" });
  expect(handoff(bob, ["fetch"], { env })).toMatchObject({ code: 0, stderr: "" });
  expect(await view(bob)).toEqual(await view(ada));
  const content = ["-m", "Look", "--impact", "i", "--no-breaking"];
  const origin = makeRepo("origin");
  expect(handoff(origin, ["send", `${base}${hub}`, ...content], { env }).stdout).toMatch(/^Handoff sent: /);
  expect(Object.keys(refs(hub, "refs/handoff/"))).toHaveLength(2);
  expect(Object.keys(refs(hub, "refs/handoff/main/"))).toEqual([`refs/handoff/main/${writerOf(ada)}`]);
  const refused = handoff(ada, ["push"], { env: stranger });
  expect(refused.code).toBe(128);
  expect(refused.stderr).toMatch(/^fatal: 'origin' is unreachable: .*Permission denied/);
});
