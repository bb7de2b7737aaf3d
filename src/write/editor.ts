/** The document in the user's editor, as `git commit` does it. */
import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Context } from "../context.js";
import { FatalError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import { stateFolder } from "../read/shown.js";
import { holdInterrupts } from "../terminal/interrupt.js";
import { EDITED, editFolder, hold } from "./left-behind.js";

/** The editor git would open: a shell command line, by git's own rule. Throws FatalError where there is none. */
export async function editorOf(repository: Repository): Promise<string> {
  const { code, stdout, stderr } = await repository.run(["var", "GIT_EDITOR"]);
  const editor = stdout.toString("utf8").trim();
  if (code === 0 && editor !== "") return editor;
  const why = stderr
    .trim()
    .split("\n")[0]
    ?.replace(/^(?:error|fatal): /, "");
  throw new FatalError(why || "no editor: set GIT_EDITOR, core.editor, VISUAL or EDITOR");
}

export interface EditedText {
  /** As the person left it. */
  text: string;
  /** The editor did not end well; the text may still be worth something. */
  problem: FatalError | null;
}

/**
 * Opens the editor on a text. The file lies in the user's own state folder while the editor has it, and is
 * gone afterwards, with whatever the editor put beside it. Throws FatalError where there is no editor.
 */
export async function editText(text: string, repository: Repository, context: Context): Promise<EditedText> {
  const editor = await editorOf(repository);
  const folder = await scratchFolder(context);
  const path = join(folder, EDITED);
  try {
    await hold(folder, [process.pid]);
    await writeFile(path, text, { mode: 0o600 });
    // git's word for "leave it as it is".
    const well = editor === ":" || (await runEditor(editor, path, folder, context));
    const problem = well ? null : new FatalError(`there was a problem with the editor '${editor}'`);
    return { text: await readFile(path, "utf8").catch(() => ""), problem };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function scratchFolder({ env }: Context): Promise<string> {
  try {
    const folder = stateFolder(env);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return editFolder(folder);
  } catch {
    return editFolder(tmpdir());
  }
}

/**
 * Through the shell, with the path as an argument of its own: how git itself runs it. True when the editor
 * ended well.
 */
function runEditor(
  editor: string,
  path: string,
  folder: string,
  { cwd, env, stdout }: Context,
): Promise<boolean> {
  return new Promise((resolve) => {
    const release = holdInterrupts();
    // What the editor prints does not belong in output that somebody reads by program.
    const child = spawn("sh", ["-c", `${editor} "$@"`, editor, path], {
      cwd,
      env,
      stdio: ["inherit", stdout.isTTY ? "inherit" : 2, "inherit"],
    });
    if (child.pid !== undefined) hold(folder, [process.pid, child.pid]).catch(() => undefined);
    const end = (well: boolean) => {
      release();
      resolve(well);
    };
    child.on("error", () => end(false));
    child.on("close", (code) => end(code === 0));
  });
}
