/** Colours and weights. On the hot path: `styleText` asks for process.stdout, which takes Node a fifth of its start. */
import { inspect } from "node:util";

export type Style = "bold" | "dim" | "red" | "green" | "yellow";

/** `text`, already stripped, between the codes of these styles; closed in reverse order. */
export function styled(text: string, ...styles: readonly Style[]): string {
  return styles.reduceRight((inner, style) => {
    const [open, close] = inspect.colors[style] ?? [0, 0];
    return `\u001b[${open}m${inner}\u001b[${close}m`;
  }, text);
}
