/** `npm run test:long`: the tests that take minutes, in addition to all others. */
import react from "@vitejs/plugin-react";
import { defineConfig, mergeConfig } from "vitest/config";
import { legalDocuments } from "./src/web/build/legalDocuments.ts";
import { hangingWait } from "./test/patience.ts";
import usual from "./vitest.config.ts";

export default mergeConfig(
  usual,
  defineConfig({
    test: {
      projects: [
        {
          // These tests render pages, too.
          plugins: [react(), legalDocuments()],
          test: {
            name: "long",
            include: ["test/long/**/*.test.ts"],
            setupFiles: ["./test/setup.ts"],
            globalSetup: ["./test/postgres.ts"],
            // Some of these tests run for half an hour.
            hookTimeout: 3 * 60 * 60_000,
            testTimeout: 3 * 60 * 60_000,
            expect: { poll: { timeout: hangingWait } },
          },
        },
      ],
    },
  }),
);
