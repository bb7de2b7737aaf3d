// Chance with a seed that is printed, and how much of it: less in `npm test`, all of it with HANDOFF_THOROUGH=1.
import { expect } from "vitest";

/** How many runs: few in `npm test`, many in CI. */
export function scale(few: number, many: number): number {
  return process.env.HANDOFF_THOROUGH === "1" ? many : few;
}

export interface Chance {
  readonly seed: number;
  /** From 0 (with) to 1 (without). */
  fraction(): number;
  /** A whole number from 0 (with) to `below` (without). */
  upTo(below: number): number;
  pick<T>(from: readonly T[]): T;
}

/** mulberry32 from SEED, or from a new seed; either is printed, so that a failure can be had again. */
export function chance(name: string): Chance {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  console.log(`${name}: SEED=${seed}`);
  let state = seed;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (below: number): number => Math.floor(fraction() * below);
  return {
    seed,
    fraction,
    upTo,
    pick: <T>(from: readonly T[]): T => {
      expect(from.length).toBeGreaterThan(0);
      return from[upTo(from.length)] as T;
    },
  };
}
