/** Lines of a file as evidence: their id, and where they stand now. Pure. */
import { hashObject } from "../../git/object.js";
import type { ObjectFormat } from "../../git/port.js";

/** Bytes hashed while looking for lines that moved. */
const MAX_HASHED = 64 * 1024 * 1024;

/** Where each line starts, and the end of the last one; every line but perhaps the last ends in a newline. */
function lineStarts(content: Buffer): number[] {
  const starts = [0];
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== content.length) starts.push(content.length);
  return starts;
}

export class Lines {
  private readonly content: Buffer;
  private readonly starts: number[];

  constructor(
    content: Uint8Array,
    private readonly format: ObjectFormat,
  ) {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    // A last line without newline is the same line as one with it.
    const complete = bytes.length === 0 || bytes.at(-1) === 10;
    this.content = complete ? bytes : Buffer.concat([bytes, Buffer.from("\n")]);
    this.starts = lineStarts(this.content);
  }

  get count(): number {
    return this.starts.length - 1;
  }

  private block(from: number, to: number): Buffer {
    return this.content.subarray(this.starts[from - 1] ?? 0, this.starts[to] ?? 0);
  }

  /** Blob id of lines `from` to `to`, counted from 1; null when the file ends before. */
  id(from: number, to: number): string | null {
    return to > this.count ? null : hashObject("blob", this.block(from, to), this.format);
  }

  /** The line at which a block of `length` lines with this id stands, nearest to `near`; null when nowhere. */
  find(oid: string, length: number, near: number): number | null {
    const last = this.count - length + 1;
    let hashed = 0;
    for (let distance = 0; distance <= Math.max(near - 1, last - near); distance++) {
      for (const at of distance === 0 ? [near] : [near - distance, near + distance]) {
        if (at < 1 || at > last) continue;
        hashed += this.block(at, at + length - 1).length;
        if (hashed > MAX_HASHED) return null;
        if (this.id(at, at + length - 1) === oid) return at;
      }
    }
    return null;
  }
}
