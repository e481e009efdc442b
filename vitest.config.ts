import { playwright } from "@vitest/browser-playwright";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { chromiumArguments, findTestChromium } from "./scripts/chromium.ts";
import { legalDocuments } from "./src/web/build/legalDocuments.ts";
import { hangingTest, hangingWait, testWorkers } from "./test/patience.ts";
import { long } from "./test/sampled.ts";
import { SlowFirst } from "./test/slowFirst.ts";

const patience = { testTimeout: hangingTest, hookTimeout: hangingTest, expect: { poll: { timeout: hangingWait } } };

export default defineConfig({
  test: {
    maxWorkers: testWorkers,
    teardownTimeout: hangingWait,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        plugins: [react(), legalDocuments()],
        test: {
          name: "node",
          include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: ["src/**/*.browser.test.{ts,tsx}", "test/e2e/**", "test/long/**", "test/drills/**"],
          setupFiles: ["./test/setup.ts", "./test/quickHashes.ts"],
          globalSetup: ["./test/postgres.ts"],
          ...patience,
          css: { modules: { classNameStrategy: "non-scoped" } },
        },
      },
      {
        plugins: [react()],
        // Bundles these before the run. If Vite found one during the run, it would bundle again, and loaded modules would use another copy of React.
        optimizeDeps: {
          include: [
            "react",
            "react/jsx-runtime",
            "react/jsx-dev-runtime",
            "react-dom",
            "react-dom/client",
            "react-dom/server",
            "valibot",
            "@valibot/to-json-schema",
            "@formatjs/icu-messageformat-parser",
            "@paddle/paddle-js",
            "axe-core",
            "fast-check",
          ],
        },
        test: {
          name: "browser",
          include: ["src/**/*.browser.test.{ts,tsx}"],
          provide: { allPictures: long },
          setupFiles: ["./test/setup.ts"],
          ...patience,
          // The previous test file's frame may close just while a test types.
          retry: { count: 1, condition: /Frame was detached/ },
          browser: {
            enabled: true,
            headless: true,
            connectTimeout: hangingWait,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: findTestChromium(), args: chromiumArguments },
            }),
            instances: [{ browser: "chromium", viewport: { width: 390, height: 844 } }],
          },
        },
      },
    ],
  },
});
