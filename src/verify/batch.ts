/** Many questions, few processes: what is asked in one turn of the event loop goes out together. */

/** Answers keys with one call of `load` per turn, each key once. A key that `load` leaves out is null. */
export function batched<T>(
  load: (keys: string[]) => Promise<Map<string, T>>,
): (key: string) => Promise<T | null> {
  const known = new Map<string, Promise<T | null>>();
  let waiting: string[] = [];
  let answer: Promise<Map<string, T>> | null = null;
  return (key) => {
    let result = known.get(key);
    if (result === undefined) {
      waiting.push(key);
      answer ??= new Promise((resolve, reject) => {
        setImmediate(() => {
          const keys = waiting;
          waiting = [];
          answer = null;
          load(keys).then(resolve, reject);
        });
      });
      result = answer.then((found) => found.get(key) ?? null);
      known.set(key, result);
    }
    return result;
  };
}

/** Slices whose summed weight stays below `most`; a single heavier item stands alone. */
export function slices<T>(items: readonly T[], weight: (item: T) => number, most: number): T[][] {
  const all: T[][] = [];
  let current: T[] = [];
  let sum = 0;
  for (const item of items) {
    if (current.length > 0 && sum + weight(item) > most) {
      all.push(current);
      current = [];
      sum = 0;
    }
    current.push(item);
    sum += weight(item);
  }
  if (current.length > 0) all.push(current);
  return all;
}

/** Bytes of paths on one command line. */
export const MAX_ARGUMENTS = 64 << 10;
