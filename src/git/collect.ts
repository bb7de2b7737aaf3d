/** What a child process says, within bounds. */
import type { ChildProcess } from "node:child_process";
import { endProcess } from "./kill.js";
import { MAX_STDERR, MAX_STDOUT, type RunOptions } from "./process.js";

export interface Collected {
  stdout(): Buffer;
  stderr(): string;
  timedOut: boolean;
  overflowed: boolean;
  /** Call when the child has ended. */
  done(): void;
}

/** Gathers both streams, and ends the child when its time is up or when there is more on stdout than asked for. */
export function collect(
  child: Pick<ChildProcess, "pid" | "stdout" | "stderr">,
  options: RunOptions,
  group: boolean,
): Collected {
  const limit = options.maxBuffer ?? MAX_STDOUT;
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  let outSize = 0;
  let errSize = 0;
  const end = (): void => endProcess(child.pid, group, [child.stdout, child.stderr]);
  const timer =
    options.timeout === undefined
      ? undefined
      : setTimeout(() => {
          collected.timedOut = true;
          end();
        }, options.timeout);
  const collected: Collected = {
    stdout: () => Buffer.concat(out),
    stderr: () => Buffer.concat(err).toString("utf8"),
    timedOut: false,
    overflowed: false,
    done: () => clearTimeout(timer),
  };
  child.stdout?.on("data", (chunk: Buffer) => {
    const room = limit - outSize;
    outSize += chunk.length;
    if (room > 0) out.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (outSize > limit && !collected.overflowed) {
      collected.overflowed = true;
      end();
    }
  });
  // More words than that are nobody's to read; git goes on all the same.
  child.stderr?.on("data", (chunk: Buffer) => {
    if (errSize < MAX_STDERR) err.push(chunk);
    errSize += chunk.length;
  });
  return collected;
}
