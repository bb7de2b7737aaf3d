/** Taking refs away whose work is done. */
import { type Ref, RefConflictError, type StoragePort } from "../git/port.js";

/**
 * Deletes these refs where they still are as they were read, and returns the deleted ones. What another process
 * changed meanwhile stays; what it deleted is as it should be.
 */
export async function deleteRefs(
  port: StoragePort,
  refs: readonly Ref[],
  reason: string,
): Promise<readonly Ref[]> {
  for (let left = refs; left.length > 0; ) {
    try {
      await port.updateRefs(
        left.map(({ name, oid }) => ({ ref: name, from: oid, to: null })),
        reason,
      );
      return left;
    } catch (error) {
      if (!(error instanceof RefConflictError)) throw error;
      const now = new Map(
        (await port.refs(left.map(({ name }) => name))).map(({ name, oid }) => [name, oid]),
      );
      left = left.filter(({ name, oid }) => now.get(name) === oid);
    }
  }
  return [];
}
