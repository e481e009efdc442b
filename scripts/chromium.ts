/** Finds or installs a Chromium for tests, benchmarks and screenshots: $CHROMIUM, the system's, Debian's package, or Playwright's. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { install, mayInstall } from "./debian.ts";
import { run } from "./run.ts";

/** Arguments for every Chromium that we start. It sends no requests of its own, and runs in containers. */
export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Makes the headless shell render text like the full browser.
  "--font-render-hinting=none",
];

/** Chromium's headless shell needs a fifth of the CPU time to open a page. */
const shell = "chromium-headless-shell";
const whole = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const applications = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
}
const wholeChromium = (): string | undefined => onPath(whole) ?? applications.find((path) => existsSync(path));

function givenChromium(): string | undefined {
  const given = process.env["CHROMIUM"];
  if (given && !existsSync(given)) throw new Error(`CHROMIUM is set to ${given}, which does not exist.`);
  return given === "" ? undefined : given;
}

/** The browser for tests: the headless shell, or else a full Chromium, or else the path that Debian's package would have. */
export const findTestChromium = (): string => givenChromium() ?? onPath([shell]) ?? wholeChromium() ?? "/usr/bin/chromium";

/** Installs the headless shell if possible. @returns the executable's path. @throws when no Chromium can be found or installed. */
export async function ensureTestChromium(): Promise<string> {
  if (givenChromium() === undefined && onPath([shell]) === undefined && mayInstall()) await install(shell);
  return givenChromium() ?? onPath([shell]) ?? ensureChromium();
}

/** Finds or installs a full Chromium. @returns the executable's path. @throws an error that says what to do, when there is none. */
export async function ensureChromium(): Promise<string> {
  const found = givenChromium() ?? wholeChromium();
  if (found) return found;
  if (mayInstall()) {
    await install("chromium");
    const installed = wholeChromium();
    if (installed) return installed;
  }
  console.log("Installing Playwright's Chromium …");
  const { code, output } = await run("playwright", ["install", "chromium"]);
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  if (code === 0 && existsSync(path)) return path;
  throw new Error(`No Chromium was found or could be installed. Install one and set CHROMIUM to its path.\n${output}`);
}
