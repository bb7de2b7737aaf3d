import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every file below a folder with its size, mode, time and content: equal when nothing was touched. */
export function snapshot(dir: string): Record<string, string> {
  const out: Record<string, string> = {};
  const visit = (path: string, name: string): void => {
    const stat = lstatSync(path);
    // A FIFO or device is only named: reading one could wait for ever.
    const kind = stat.isDirectory()
      ? "folder"
      : stat.isSymbolicLink()
        ? "link"
        : stat.isFile()
          ? "file"
          : "special";
    const content =
      kind === "folder" || kind === "special"
        ? ""
        : kind === "link"
          ? readlinkSync(path)
          : createHash("sha1").update(readFileSync(path)).digest("hex");
    out[name] = `${kind} ${stat.mode.toString(8)} ${stat.mtimeMs} ${content}`;
    if (kind === "folder")
      for (const child of readdirSync(path)) visit(join(path, child), `${name}/${child}`);
  };
  visit(dir, ".");
  return out;
}
