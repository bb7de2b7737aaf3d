/** Input and output of the hooks, without the weight of process.stdin and process.stdout. On the hot path. */
import { fstatSync, readSync, writeSync } from "node:fs";
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

/** Whether stdin is a pipe, a socket or a file: something that ends. A terminal does not. */
export function isPipe(): boolean {
  return !fstatSync(0).isCharacterDevice();
}

/** Whether what is written goes to a terminal. */
export function onTerminal(): boolean {
  // Asked first, because `tty` brings the network along.
  return fstatSync(1).isCharacterDevice() && isatty(1);
}
