/** Ctrl-C ends the program, except while something else (a pager, the editor) has the terminal. */

let holders = 0;

/** Until the returned function is called, Ctrl-C is somebody else's. */
export function holdInterrupts(): () => void {
  holders++;
  let held = true;
  return () => {
    if (held) holders--;
    held = false;
  };
}

export function interruptsHeld(): boolean {
  return holders > 0;
}
