/** Finds a Chromium for the browser tests, or installs one: $CHROMIUM, the system's, Debian's package, Playwright's. */
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
];

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const applications = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];

function onPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":");
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...applications].find((path) => existsSync(path));
}

/** @returns the executable's path. @throws when none can be had, with what to do. */
export async function ensureChromium(): Promise<string> {
  const given = process.env["CHROMIUM"];
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM is set to ${given}, which does not exist.`);
    return given;
  }
  const found = onPath();
  if (found) return found;
  if (mayInstall()) {
    await install("chromium");
    const installed = onPath();
    if (installed) return installed;
  }
  console.log("Installing Playwright's Chromium …");
  const { code, output } = await run("playwright", ["install", "chromium"]);
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  if (code === 0 && existsSync(path)) return path;
  throw new Error(`No Chromium was found or could be installed. Install one and set CHROMIUM to its path.\n${output}`);
}
