import { ancestors } from "./ancestors.js";
import { diverged } from "./diverged.js";
import type { LabelledHistory } from "./history.js";
import { rewritten } from "./rewritten.js";
import { unknowable } from "./unknown.js";

export const corpus: readonly LabelledHistory[] = [...ancestors, ...rewritten, ...diverged, ...unknowable];
