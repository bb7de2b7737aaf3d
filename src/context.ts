/** What a command gets from its surroundings. Made once at the edge; tests make their own. */
export interface Context {
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  now(): Date;
}

/** Options and positionals by the names of commands/spec.ts (`dry-run` stays `dry-run`). */
export type Args = Readonly<Record<string, unknown>>;
