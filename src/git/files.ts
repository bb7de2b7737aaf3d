/** The few file operations the engine without git needs, over any `fs` with promises. */
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { UnsupportedRepositoryError } from "./port.js";

type Data = Uint8Array | string;

/** What is asked of an `fs.promises`: Node's, memfs', or any that keeps the `wx` flag's promise. */
export interface FsPromises {
  readFile(path: string, options?: unknown): Promise<unknown>;
  writeFile(path: string, data: Data, options?: unknown): Promise<unknown>;
  appendFile(path: string, data: Data): Promise<unknown>;
  unlink(path: string): Promise<unknown>;
  rename(from: string, to: string): Promise<unknown>;
  readdir(path: string): Promise<unknown>;
  mkdir(path: string, options?: unknown): Promise<unknown>;
  rmdir(path: string): Promise<unknown>;
  stat(path: string): Promise<{ isDirectory(): boolean; mode?: number | bigint }>;
  chmod?(path: string, mode: number): Promise<unknown>;
  open?(path: string, flags: string): Promise<FsHandle>;
}

interface FsHandle {
  writeFile(data: Data): Promise<unknown>;
  sync?(): Promise<unknown>;
  close(): Promise<unknown>;
}

const NEEDED = [
  "readFile",
  "writeFile",
  "appendFile",
  "unlink",
  "rename",
  "readdir",
  "mkdir",
  "rmdir",
  "stat",
];

export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** Nothing there, or a file where the path wants a folder. */
function isAbsence(error: unknown): boolean {
  return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
}

export class Files {
  #exclusive = false;

  private constructor(readonly fs: FsPromises) {}

  /** Takes `fs` itself, `fs.promises`, or an object with a `promises` property. Throws UnsupportedRepositoryError. */
  static over(fs: unknown): Files {
    const promises = (fs as { promises?: unknown } | null)?.promises ?? fs;
    const lacking = NEEDED.filter(
      (name) => typeof (promises as Record<string, unknown> | null)?.[name] !== "function",
    );
    if (lacking.length > 0) {
      throw new UnsupportedRepositoryError(`this fs has no promises.${lacking[0]}`);
    }
    return new Files(promises as FsPromises);
  }

  /** null when there is no such file. */
  async read(path: string): Promise<Buffer | null> {
    try {
      return Buffer.from((await this.fs.readFile(path)) as Uint8Array);
    } catch (error) {
      if (isAbsence(error) || errorCode(error) === "EISDIR") return null;
      throw error;
    }
  }

  async text(path: string): Promise<string | null> {
    return (await this.read(path))?.toString("utf8") ?? null;
  }

  async kind(path: string): Promise<"file" | "folder" | null> {
    try {
      return (await this.fs.stat(path)).isDirectory() ? "folder" : "file";
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
  }

  /** Names in a folder; none when there is no such folder. */
  async list(path: string): Promise<string[]> {
    try {
      return ((await this.fs.readdir(path)) as unknown[]).map(String);
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  }

  async makeFolder(path: string): Promise<void> {
    await this.fs.mkdir(path, { recursive: true });
  }

  /** Removes a file, if it is there. */
  async remove(path: string): Promise<void> {
    try {
      await this.fs.unlink(path);
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
  }

  /** Removes this folder and those in it as far as they are empty; true when nothing is left there. */
  async removeEmpty(path: string): Promise<boolean> {
    if ((await this.kind(path)) !== "folder") return (await this.kind(path)) === null;
    for (const name of await this.list(path)) await this.removeEmpty(`${path}/${name}`);
    try {
      await this.fs.rmdir(path);
      return true;
    } catch {
      return false;
    }
  }

  /** A new file, on disk when this returns. False when there is one already. */
  async create(path: string, data: Data): Promise<boolean> {
    try {
      await this.#writeNew(path, data);
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw error;
    }
    if (!this.#exclusive) await this.#proveExclusive(path);
    return true;
  }

  async #writeNew(path: string, data: Data): Promise<void> {
    if (!this.fs.open) {
      await this.fs.writeFile(path, data, { flag: "wx" });
      return;
    }
    const handle = await this.fs.open(path, "wx");
    try {
      await handle.writeFile(data);
      await handle.sync?.();
    } finally {
      await handle.close();
    }
  }

  /** Locks rest on `wx`: an fs that overlooks it would lose updates without a word. */
  async #proveExclusive(path: string): Promise<void> {
    const overlooked = await this.#writeNew(path, "").then(
      () => true,
      (error: unknown) => errorCode(error) !== "EEXIST",
    );
    if (overlooked) {
      await this.remove(path);
      throw new UnsupportedRepositoryError("this fs cannot create a file exclusively (flag 'wx')");
    }
    this.#exclusive = true;
  }

  /** Puts a whole file in place in one step, with these permissions. `temporary` must be a new name in the same folder. */
  async replace(path: string, data: Data, temporary: string, mode?: number): Promise<void> {
    if (!(await this.create(temporary, data))) throw new Error(`'${temporary}' exists`);
    try {
      if (mode !== undefined) await this.fs.chmod?.(temporary, mode);
      await this.fs.rename(temporary, path);
    } catch (error) {
      await this.remove(temporary);
      throw error;
    }
  }

  /**
   * What isomorphic-git is given: the same fs, but a file appears whole or not at all (it writes objects in
   * place, so that a crash leaves half of one). A left-over has a name that git's own clean-up knows.
   */
  forObjects(): { promises: FsPromises } {
    const { fs } = this;
    const bound = Object.fromEntries(
      [...NEEDED, "lstat", "readlink", "symlink", "rm"].flatMap((name) => {
        const method = (fs as unknown as Record<string, unknown>)[name];
        return typeof method === "function" ? [[name, method.bind(fs)]] : [];
      }),
    );
    const writeFile = (path: string, data: Data): Promise<void> =>
      this.replace(path, data, `${dirname(path)}/tmp_obj_${randomBytes(6).toString("hex")}`, 0o444);
    return { promises: { ...bound, writeFile } as unknown as FsPromises };
  }
}
