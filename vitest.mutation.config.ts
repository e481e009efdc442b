/** The tests that run against mutants (`npm run mutation`): only in Node, on SQLite, with the same random numbers every time. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { legalDocuments } from "./src/web/build/legalDocuments.ts";

export default defineConfig({
  plugins: [react(), legalDocuments()],
  test: {
    name: "mutation",
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    exclude: ["src/**/*.browser.test.{ts,tsx}", "test/long/**"],
    setupFiles: ["./test/setup.ts", "./test/quickHashes.ts", "./test/mutation/setup.ts"],
    globalSetup: ["./test/postgres.ts"],
    env: { DATABASES: "sqlite" },
    // Limits for mutants that hang: a thousand times the usual duration of a test, and short because many mutants hang.
    hookTimeout: 30_000,
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
