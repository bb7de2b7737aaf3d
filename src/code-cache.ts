/**
 * Starts a bundled program from V8's code cache, which saves compiling it anew at every call: 11 of the hook's 27 ms,
 * half of a command's start. The cache lies in the user's cache folder and is only ever taken when it was made from
 * this very program by this very Node; without one, or with a damaged one, the program is compiled as usual.
 */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

const HEADER = 8;

export interface Program {
  /** Where its bundles lie: CommonJS, in ASCII. */
  folder: string;
  /** Name of the bundle to start with; it may ask for others named `lib-…`. */
  main: string;
  /** Digest of all of them: V8 itself compares no more than lengths. */
  digest: string;
  /** Names the caches: what was compiled for one use of a program is little of what another use needs. */
  use: string;
}

/** Where a bundle's cache lies; null where the user has no such folder. */
function cacheFile({ digest, use, main }: Program, name: string): string | null {
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env;
  const base = cache?.startsWith("/") ? cache : home?.startsWith("/") ? join(home, ".cache") : null;
  const part = name === main ? use : `${use}-${name}`;
  return base === null
    ? null
    : join(base, "git-handoff", `${part}-${digest}-${process.version}-${process.arch}`);
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
    removeOld(dirname(file));
  } catch {}
}

/** Milliseconds after which a cache may go: each version of the program and of Node makes its own. */
const KEPT = 30 * 86_400_000;
const CACHE = /-[0-9a-f]{32}-v[\d.]+-\w+(?:\.\d+)?$/;

/** What is still in use and goes with them is made anew at its next use. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (CACHE.test(name) && Date.now() - statSync(path).mtimeMs > KEPT) unlinkSync(path);
  }
}

/** Runs the program; `require` is what it gets to load Node's modules and its neighbours with. */
export function runCached(program: Program, require: NodeJS.Require): void {
  const loaded = new Map<string, unknown>();
  const load = (name: string): unknown => {
    const before = loaded.get(name);
    if (before !== undefined) return before;
    const path = join(program.folder, `${name}.cjs`);
    const module = { exports: {} };
    const own = (id: string): unknown => (LIBRARY.test(id) ? load(id.slice(2, -4)) : require(id));
    compile(path, cacheFile(program, name))(module.exports, own, module, path, program.folder);
    loaded.set(name, module.exports);
    return module.exports;
  };
  load(program.main);
}

const LIBRARY = /^\.\/lib-[\w-]+\.cjs$/;

function compile(path: string, file: string | null): (...given: unknown[]) => void {
  const cachedData = readCache(file);
  // The bundle is ASCII; read as such it needs no decoding.
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, "latin1")}\n})`;
  const script = new Script(source, { filename: path, ...(cachedData === undefined ? {} : { cachedData }) });
  if (file !== null && (cachedData === undefined || script.cachedDataRejected)) {
    // What failed has compiled little of what the next call needs.
    process.on("exit", (code) => code === 0 && writeCache(file, script));
  }
  return script.runInThisContext() as (...given: unknown[]) => void;
}
