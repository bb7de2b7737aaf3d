/** What this folder needs to know of where output goes; every command's Context is one. */
export interface Terminal {
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdout: NodeJS.WriteStream;
}
