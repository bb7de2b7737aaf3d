// A program on a pseudo-terminal that is talked to: waits for what it shows, then types. By util-linux's script(1).
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { program } from "./repo.js";
import { quote } from "./terminal.js";

export { hasTerminal } from "./terminal.js";

/** What a terminal would show: without cursor movements and colours, with plain newlines. */
export function plain(text: string): string {
  return text
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "")
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n");
}

export const KEY = { enter: "\r", down: "\u001b[B", up: "\u001b[A", interrupt: "\u0003", end: "\u0004" };

export class Terminal {
  /** Everything received, as it came. */
  raw = "";
  /** How much of the screen was waited for. */
  private seen = 0;
  /** Before a question that waits for its answer; an answered one is drawn anew with another. */
  private readonly mark: string;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly ended: Promise<number | null>;
  private wake: () => void = () => {};

  constructor(
    dir: string,
    words: readonly string[],
    options: {
      columns?: number;
      env?: Record<string, string | undefined>;
      /** More words, for the shell to read. */
      shell?: string;
    } = {},
  ) {
    const { TERM, ACCESSIBLE } = options.env ?? {};
    this.mark = TERM === "dumb" || ACCESSIBLE ? "" : "◆ ";
    const command = [...[process.execPath, program, ...words].map(quote), options.shell ?? ""].join(" ");
    const inner = `stty cols ${options.columns ?? 80} rows 40 -echo; ${command}`;
    this.child = spawn("script", ["-qec", inner, "/dev/null"], {
      cwd: dir,
      env: { ...process.env, TERM: "xterm", SHELL: "/bin/sh", ...options.env },
    });
    this.child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      this.raw += chunk;
      this.wake();
    });
    this.ended = new Promise((resolve) =>
      this.child.on("close", (code) => {
        resolve(code);
        this.wake();
      }),
    );
  }

  /** What it showed, as text. */
  get screen(): string {
    return plain(this.raw);
  }

  /** Waits until `text` is shown after what was waited for before; white space counts as wrapping. */
  async shows(text: string): Promise<void> {
    const words = text.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(words.join("[\\s│]+"));
    const late = Date.now() + 20_000;
    for (;;) {
      const fresh = this.screen.slice(this.seen);
      const found = pattern.exec(fresh);
      if (found) {
        this.seen += found.index + found[0].length;
        return;
      }
      const left = late - Date.now();
      const over = this.child.exitCode !== null;
      if (left <= 0 || over) throw new Error(`${over ? "ended" : "waited"} without "${text}" in:\n${fresh}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  type(keys: string): void {
    this.child.stdin.write(keys);
  }

  /** Waits for a question and answers it. */
  async answer(question: string, keys = ""): Promise<void> {
    await this.shows(`${this.mark}${question}`);
    this.type(`${keys}${KEY.enter}`);
  }

  /** The exit code, once it has ended by itself. */
  async code(): Promise<number | null> {
    return this.ended;
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }
}
