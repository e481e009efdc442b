import { defineConfig } from "@playwright/test";
import { chromiumArguments, findTestChromium } from "./scripts/chromium.ts";
import { hangingTest, hangingWait, journeyWorkers } from "./test/patience.ts";

export default defineConfig({
  testDir: "test/e2e",
  globalSetup: "./test/e2e/sharedSites.ts",
  // Playwright empties this folder at the start, so the reports must not be in it.
  outputDir: "test-results/journeys",
  fullyParallel: true,
  workers: journeyWorkers,
  forbidOnly: true,
  retries: 0,
  timeout: hangingTest,
  expect: { timeout: hangingWait },
  reporter: [["list"], ["json", { outputFile: "test-results/journeys.json" }]],
  use: {
    actionTimeout: hangingWait,
    navigationTimeout: hangingWait,
    launchOptions: {
      executablePath: findTestChromium(),
      args: chromiumArguments,
    },
  },
});
