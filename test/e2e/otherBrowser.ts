/**
 * Debian's Firefox and WebKit behind one small interface. Firefox is driven by WebDriver BiDi, which it supports natively. WebKit, the engine of all
 * browsers on iPhones, is driven by classic WebDriver, the only protocol of its driver. Decision 093.
 */
import type { WebKit } from "../../scripts/otherBrowsers.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import puppeteer from "puppeteer-core";
import { Builder, Capabilities, Origin, type WebDriver } from "selenium-webdriver";
import { hangingWait } from "../patience.ts";
import { freePort } from "./site.ts";

export const phone = { width: 390, height: 844 } as const;

/** A visitor with a new browser profile. */
export interface OtherBrowser {
  readonly open: (url: string) => Promise<void>;
  /** Runs a function in the page. Arguments and result must be JSON. */
  readonly run: <A extends readonly unknown[], T>(work: (...args: A) => T, ...args: A) => Promise<Awaited<T>>;
  /** Taps by touch if the browser supports it, otherwise by mouse. */
  readonly tap: (at: { readonly x: number; readonly y: number }) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  readonly back: () => Promise<void>;
  readonly reload: () => Promise<void>;
  readonly picture: () => Promise<Buffer>;
  /** The console's errors and warnings so far. */
  readonly complaints: () => readonly string[];
  readonly close: () => Promise<void>;
}

function called<A extends readonly unknown[]>(work: (...args: A) => unknown, args: A): string {
  return `(${work.toString()})(...${JSON.stringify(args)})`;
}

export async function startFirefox(executablePath: string): Promise<OtherBrowser> {
  const complaints: string[] = [];
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath,
    headless: true,
    timeout: hangingWait,
    protocolTimeout: hangingWait,
    defaultViewport: null,
    extraPrefsFirefox: {
      // Overlay scrollbars, as on a phone.
      "ui.useOverlayScrollbars": 1,
      "widget.gtk.overlay-scrollbars.enabled": true,
      // Firefox makes no click of a touch that lasts over 300 ms. On a busy machine, a tap does.
      "apz.max_tap_time": 2_000_000_000,
    },
  });
  const page = await browser.newPage();
  await page.setViewport({ ...phone, hasTouch: true, deviceScaleFactor: scale });
  page.setDefaultTimeout(hangingWait);
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) complaints.push(message.text());
  });
  return {
    open: async (url) => void (await page.goto(url)),
    run: <A extends readonly unknown[], T>(work: (...args: A) => T, ...args: A) => page.evaluate<[], () => T>(called(work, args)),
    tap: ({ x, y }) => page.touchscreen.tap(x, y),
    type: (text) => page.keyboard.type(text),
    back: async () => void (await page.goBack()),
    reload: async () => void (await page.reload()),
    picture: async () => Buffer.from(await page.screenshot()),
    complaints: () => complaints,
    close: () => browser.close(),
  };
}

/** Device pixels per CSS pixel. Phones have two or three. */
const scale = 2;

/** Starts a virtual screen of a phone's size, which the full-screen browser fills. */
async function startScreen(xvfb: string): Promise<{ readonly server: ChildProcess; readonly display: string }> {
  const size = `${phone.width * scale}x${phone.height * scale}x24`;
  const server = spawn(xvfb, ["-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const told = server.stdio[3];
  if (!(told instanceof Readable)) throw new Error("Xvfb cannot say which display it is");
  const [number]: unknown[] = await once(told, "data");
  return { server, display: `:${String(number).trim()}` };
}

export async function startWebKit({ driver, browser, xvfb }: WebKit): Promise<OtherBrowser> {
  const screen = await startScreen(xvfb);
  const home = mkdtempSync(join(tmpdir(), "parlando-webkit-"));
  const port = await freePort();
  let output = "";
  const driving = spawn(driver, [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: screen.display,
      GDK_SCALE: String(scale),
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_CACHE_HOME: home,
      XDG_DATA_HOME: home,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [driving.stdout, driving.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const end = async () => {
    for (const child of [driving, screen.server]) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await once(child, "exit");
    }
    rmSync(home, { recursive: true, force: true });
  };
  let page: WebDriver;
  try {
    page = await newSession(`http://127.0.0.1:${port}`, browser);
  } catch (error) {
    await end();
    throw new Error(`WebKit did not start:\n${output}`, { cause: error });
  }
  return {
    open: (url) => page.get(url),
    run: (work, ...args) => page.executeScript(`return ${called(work, args)}`),
    tap: ({ x, y }) =>
      page
        .actions()
        .move({ x: Math.round(x), y: Math.round(y), duration: 0, origin: Origin.VIEWPORT })
        .press()
        .release()
        .perform(),
    type: (text) => page.actions().sendKeys(text).perform(),
    back: () => page.navigate().back(),
    reload: () => page.navigate().refresh(),
    picture: async () => Buffer.from(await page.takeScreenshot(), "base64"),
    complaints: () => output.split("\n").filter((line) => /CONSOLE.*(?:ERROR|WARN)/.test(line)),
    close: async () => {
      await page.quit().catch(() => undefined);
      await end();
    },
  };
}

async function newSession(server: string, binary: string): Promise<WebDriver> {
  const deadline = Date.now() + hangingWait;
  for (;;) {
    const ready = await fetch(`${server}/status`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) break;
    if (Date.now() > deadline) throw new Error("its driver does not answer");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const args = ["--automation", "--full-screen", "--enable-write-console-messages-to-stdout=true"];
  const page = await new Builder()
    .usingServer(server)
    .withCapabilities(new Capabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": { binary, args } }))
    .build();
  await page.manage().setTimeouts({ pageLoad: hangingWait, script: hangingWait });
  await page
    .manage()
    .window()
    .setRect({ x: 0, y: 0, ...phone });
  return page;
}
