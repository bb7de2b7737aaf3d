import type { Sections } from "./types.js";

export function parseSections(_body: string): Sections {
  throw new Error("not built yet");
}
export function formatBody(_sections: Partial<Sections>): string {
  throw new Error("not built yet");
}
export function appendSections(_earlier: Sections, _addition: Partial<Sections>): Sections {
  throw new Error("not built yet");
}
