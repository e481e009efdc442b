/**
 * `npm run bench:page`: measures a cold load of the first question: bytes by kind, layout shift, and whether the heading is painted without any
 * script. The server is a real one with its own port and data folder. `npm run build` must have run.
 */
import { chromium } from "@playwright/test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumArguments, ensureChromium } from "../scripts/chromium.ts";

const port = Number(process.env["PORT"] ?? 4390);
const url = `http://localhost:${port}`;
const firstQuestion = process.argv[2] ?? "/es-latam/habla-ingles/76/2/";
const limits = { kilobytes: 102.5, layoutShift: 0.02 };
/** Time for fonts, pictures and late requests, ms. */
const settleMs = 2_500;

const dataDir = mkdtempSync(join(tmpdir(), "parlando-bench-"));
const server = spawn(process.execPath, ["src/main.ts"], {
  env: { ...process.env, NODE_ENV: "", PORT: String(port), DATA_DIR: dataDir, PUBLIC_URL: url },
  stdio: ["ignore", "ignore", "inherit"],
});
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: chromiumArguments,
});
let failed = false;
try {
  await untilReady();
  const served = await weigh();
  const named = served.filter(({ named: early }) => early);
  console.log(`First question, cold, as served (${firstQuestion}), bytes over the wire:`);
  let sum = 0;
  for (const kind of ["HTML", "CSS", "JS"] as const) {
    const bytes = total(named, kind);
    sum += bytes;
    console.log(
      `  ${kind.padEnd(5)} ${kilobytes(bytes)}  (${named.filter((file) => file.kind === kind).length} files, ${[...new Set(named.filter((file) => file.kind === kind).map(({ encoding }) => encoding))].join(", ")})`,
    );
  }
  report("HTML + CSS + JS", `${kilobytes(sum)} of ${limits.kilobytes} kB`, sum <= limits.kilobytes * 1000);
  console.log(
    `  aside: fonts ${kilobytes(total(served, "font"))}, pictures ${kilobytes(total(served, "picture"))}; fetched while the question is read: JS ${kilobytes(total(served, "JS") - total(named, "JS"))}, CSS ${kilobytes(total(served, "CSS") - total(named, "CSS"))}`,
  );
  for (const width of [390, 1280]) {
    const shift = await layoutShift(width);
    report(`CLS at ${width} px`, shift.toFixed(4), shift <= limits.layoutShift);
  }
  report("Heading painted with no script at all", ...(await headingWithoutScript()));
} finally {
  await browser.close();
  if (server.exitCode === null) {
    const gone = once(server, "exit");
    server.kill("SIGTERM");
    await gone;
  }
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

interface Served {
  readonly kind: "HTML" | "CSS" | "JS" | "font" | "picture" | "data";
  readonly bytes: number;
  readonly encoding: string;
  /** Whether the HTML names the file. */
  readonly named: boolean;
}

async function untilReady() {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (server.exitCode !== null) throw new Error("The server ended; is the site built (npm run build)?");
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The server did not become ready");
}

async function weigh(): Promise<readonly Served[]> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "es-MX" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const files = new Map<string, { url: string; type: string; encoding: string; bytes: number }>();
  // Transferred body sizes, without protocol overhead.
  session.on("Network.responseReceived", ({ requestId, response, type }) => {
    const headers = new Headers(response.headers);
    files.set(requestId, {
      url: response.url,
      type,
      encoding: headers.get("content-encoding") ?? "identity",
      bytes: Number(headers.get("content-length") ?? 0),
    });
  });
  const response = await page.goto(url + firstQuestion);
  // Disabled style sheets, and modules for returning visitors, are named but fetched only after hydration.
  const served = ((await response?.text()) ?? "").replaceAll(/<link (?:disabled|[^>]* data-returning)[^>]*>/g, "");
  await page.waitForTimeout(settleMs);
  await context.close();
  return [...files.values()].map(({ url: address, type, encoding, bytes }) => ({
    kind: kindOf(address, type),
    encoding,
    bytes,
    named: type === "Document" || served.includes(`="${new URL(address).pathname}"`),
  }));
}

function kindOf(address: string, type: string): Served["kind"] {
  if (type === "Document") return "HTML";
  if (type === "Stylesheet") return "CSS";
  if (type === "Font") return "font";
  if (/\.js(\?|$)/.test(address)) return "JS";
  return type === "Image" || /\.(svg|png|webp|jpg|ico)(\?|$)/.test(address) ? "picture" : "data";
}

async function layoutShift(width: number): Promise<number> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, locale: "es-MX" });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = JSON.parse(JSON.stringify(entry));
        if (!hadRecentInput)
          document.documentElement.dataset["shift"] = String(Number(document.documentElement.dataset["shift"] ?? 0) + value);
      }
    });
    observer.observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(url + firstQuestion);
  await page.waitForTimeout(settleMs);
  const shift = await page.evaluate(() => Number(document.documentElement.dataset["shift"] ?? 0));
  await context.close();
  return shift;
}

/** Whether the heading is painted while all scripts are blocked. */
async function headingWithoutScript(): Promise<[string, boolean]> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "es-MX" });
  const page = await context.newPage();
  await page.route("**/*.js", () => {});
  await page.goto(url + firstQuestion, { waitUntil: "commit" });
  await page.locator("h1").waitFor({ timeout: 5_000 });
  await page
    .waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0, undefined, { timeout: 5_000 })
    .catch(() => undefined);
  const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null);
  await context.close();
  return [painted === null ? "no" : `yes, after ${Math.round(painted)} ms`, painted !== null];
}

function total(files: readonly Served[], kind: Served["kind"]): number {
  return files.filter((file) => file.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function report(what: string, value: string, holds: boolean) {
  if (!holds) failed = true;
  console.log(`${holds ? "ok  " : "FAIL"} ${what}: ${value}`);
}
