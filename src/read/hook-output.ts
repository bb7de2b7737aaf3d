/** Input and output of the hooks, without the weight of process.stdin and process.stdout. On the hot path. */
import { fstatSync, read, readSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

/** Bytes of gathered answers; with more of them it is quicker to ask git for what is needed. */
const MAX_INPUT = 64 << 20;

/** All of stdin; empty when nothing was piped in. Waits for its end: hooks/post-checkout keeps the time. */
export function readPipe(): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    if (!isPipe()) return Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafe(1 << 16);
      const read = readSync(0, chunk, 0, chunk.length, null);
      if (read === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, read));
      size += read;
      if (size > MAX_INPUT) return Buffer.alloc(0);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

/** Whether a read is still under way: Node waits for it when it exits, so that only ending it helps. */
let reading = 0;

/** Ends this process at once, whatever it waits for. */
export function end(code: number): never {
  if (reading > 0) process.kill(process.pid, "SIGKILL");
  process.exit(code);
}

/** What comes on stdin until its end, until `whole` says so, or for `wait` ms. */
export function readStdin(wait: number, whole: (bytes: Buffer) => boolean): Promise<Buffer> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    const finish = () => {
      clearTimeout(timer);
      done(Buffer.concat(chunks));
    };
    const timer = setTimeout(finish, wait);
    process.stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (whole(Buffer.concat(chunks))) finish();
    });
    process.stdin.on("end", finish);
    process.stdin.on("error", finish);
  });
}

/**
 * The same of another descriptor, through Node's thread pool, because a stream of its own would load the network.
 * A read that never ends keeps Node from exiting: `end` must be called, and its caller must not mind how it ends.
 */
export function readSome(fd: number, wait: number, whole: (bytes: Buffer) => boolean): Promise<Buffer> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    let over = false;
    const finish = () => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      done(Buffer.concat(chunks));
    };
    const timer = setTimeout(finish, wait);
    const next = () => {
      const chunk = Buffer.allocUnsafe(1 << 16);
      reading++;
      read(fd, chunk, 0, chunk.length, null, (error, length) => {
        reading--;
        if (over) return;
        if (error?.code === "EAGAIN") {
          setTimeout(next, 5);
          return;
        }
        if (error !== null || length === 0) return finish();
        chunks.push(chunk.subarray(0, length));
        if (whole(Buffer.concat(chunks))) finish();
        else next();
      });
    };
    next();
  });
}

/** Writes all of it, however slow the reader; gives up when there is none. */
export function writeOut(text: string): void {
  const bytes = Buffer.from(text);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let at = 0, tries = 0; at < bytes.length && tries < 400; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      tries++;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

/** Whether a descriptor (stdin) is a pipe, a socket or a file: something that ends. A terminal does not. */
export function isPipe(fd = 0): boolean {
  return !fstatSync(fd).isCharacterDevice();
}

/** Whether what is written goes to a terminal. */
export function onTerminal(): boolean {
  // Asked first, because `tty` brings the network along.
  return fstatSync(1).isCharacterDevice() && isatty(1);
}
