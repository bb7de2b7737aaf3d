import type { StoragePort } from "../git/port.js";

/**
 * This clone's writer id; null when it has none and `create` is false.
 * Throws FatalError when the configured value is not of a writer's form.
 */
export async function writerId(port: StoragePort, options: { create: true }): Promise<string>;
export async function writerId(port: StoragePort, options: { create: boolean }): Promise<string | null>;
export async function writerId(_port: StoragePort, _options: { create: boolean }): Promise<string | null> {
  throw new Error("not built yet");
}
