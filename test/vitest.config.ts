import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  define: { __VERSION__: JSON.stringify("0.0.0-test") },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/isolate.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    // A busy machine makes a slow test of a quick one; what fails twice has failed.
    retry: process.env.CI ? 1 : 0,
    reporters: ["default"],
  },
});
