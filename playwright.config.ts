import { defineConfig } from "@playwright/test";
import { chromiumArguments } from "./scripts/chromium.ts";

export default defineConfig({
  testDir: "test/e2e",
  // Emptied at the start: the reports stand beside it.
  outputDir: "test-results/journeys",
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  timeout: 90_000,
  // Only a failure waits this long; on a busy machine a page needs more than Playwright's five seconds.
  expect: { timeout: 15_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/journeys.json" }]],
  use: {
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: chromiumArguments,
    },
  },
});
