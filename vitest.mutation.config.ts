/** What runs against mutants (`npm run mutation`): tests in Node alone, on SQLite, with the same draws every time. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { legalDocuments } from "./src/web/build/legalDocuments.ts";

export default defineConfig({
  plugins: [react(), legalDocuments()],
  test: {
    name: "mutation",
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    exclude: ["src/**/*.browser.test.{ts,tsx}", "test/long/**"],
    setupFiles: ["./test/setup.ts", "./test/mutation/setup.ts"],
    globalSetup: ["./test/postgres.ts"],
    env: { DATABASES: "sqlite" },
    // A mutant that hangs meets these: a thousand times what a test takes, and short enough for the many that hang.
    hookTimeout: 30_000,
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
