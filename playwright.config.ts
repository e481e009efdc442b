import { defineConfig } from "@playwright/test";
import { chromiumArguments, findTestChromium } from "./scripts/chromium.ts";
import { hangingTest, hangingWait, journeyWorkers } from "./test/patience.ts";

/** These start first, so that none runs alone at the end. */
const slow = ["demo", "deploy", "funnel", "releases", "studio", "studio-*", "versions"].map((name) => `**/${name}.spec.ts`);

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
  // Playwright starts the first project's files before the second's.
  projects: [
    { name: "slow", testMatch: slow },
    { name: "others", testIgnore: slow },
  ],
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
