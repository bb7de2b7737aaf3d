/**
 * Starts the hook's program (hook-main.ts) from V8's code cache, which saves compiling it anew at every checkout:
 * 11 of its 27 ms. The cache lies in the user's cache folder and is only ever taken when it was made from this very
 * program by this very Node; without one, or with a damaged one, the program is compiled as usual.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

/** Digest of hook-main.cjs, filled in by build.mjs: V8 itself compares no more than lengths. */
declare const __PROGRAM__: string;

const HEADER = 8;

/** Where this program's cache lies; null where the user has no such folder. */
function cacheFile(): string | null {
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env;
  const base = cache?.startsWith("/") ? cache : home?.startsWith("/") ? join(home, ".cache") : null;
  const name = `hook-${__PROGRAM__}-${process.version}-${process.arch}`;
  return base === null ? null : join(base, "git-handoff", name);
}

/**
 * A sum over some bytes of every disk sector: V8 checks its own only in debug builds, and a file that a crash of the
 * machine left half written could crash it.
 */
function sumOf(bytes: Buffer): number {
  let sum = bytes.length | 0;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  for (let i = 0; i < words.length; i += 31) sum = (Math.imul(sum, 31) + (words[i] ?? 0)) | 0;
  return sum;
}

function readCache(file: string | null): Buffer | undefined {
  if (file === null) return undefined;
  try {
    const bytes = readFileSync(file);
    // Copied to its own memory, so that it is aligned.
    const data = Buffer.from(new Uint8Array(bytes.subarray(HEADER)).buffer);
    return bytes.readInt32LE(0) === sumOf(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** After the work is done; a cache that cannot be written is none. */
function writeCache(file: string, script: Script): void {
  try {
    const data = script.createCachedData();
    const header = Buffer.alloc(HEADER);
    header.writeInt32LE(sumOf(Buffer.from(new Uint8Array(data).buffer)), 0);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    chmodSync(dirname(file), 0o700);
    const part = `${file}.${process.pid}`;
    writeFileSync(part, Buffer.concat([header, data]), { mode: 0o600, flag: "wx" });
    renameSync(part, file);
  } catch {}
}

const file = cacheFile();
const cachedData = readCache(file);
const program = join(__dirname, "hook-main.cjs");
// The bundle is ASCII; read as such it needs no decoding.
const source = `(function (require, __filename, __dirname) {${readFileSync(program, "latin1")}\n})`;
const script = new Script(source, {
  filename: program,
  ...(cachedData === undefined ? {} : { cachedData }),
});
if (file !== null && (cachedData === undefined || script.cachedDataRejected)) {
  process.on("exit", () => writeCache(file, script));
}
(script.runInThisContext() as (...given: unknown[]) => void)(require, program, __dirname);
