/** Finds a Chromium for tests, benchmarks and pictures, or installs one: $CHROMIUM, the system's, Debian's package, Playwright's. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { install, mayInstall } from "./debian.ts";
import { run } from "./run.ts";

/** For every Chromium that a test, a benchmark or a picture starts: nothing of its own goes over the network, and it runs in containers. */
export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The shell draws letters as the whole browser does.
  "--font-render-hinting=none",
];

/** Chromium's headless shell: opens a page with a fifth of the work. */
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

/** What tests open pages with: the shell, or a whole Chromium where there is none; the path of Debian's where there is no Chromium. */
export const findTestChromium = (): string => givenChromium() ?? onPath([shell]) ?? wholeChromium() ?? "/usr/bin/chromium";

/** Installs the shell where that is possible. @returns the executable's path. @throws when no Chromium can be had. */
export async function ensureTestChromium(): Promise<string> {
  if (givenChromium() === undefined && onPath([shell]) === undefined && mayInstall()) await install(shell);
  return givenChromium() ?? onPath([shell]) ?? ensureChromium();
}

/** A whole Chromium, as visitors have. @returns the executable's path. @throws when none can be had, with what to do. */
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
