/**
 * `npm run bench:tap`: measures the first paint and the first tap of a cold visit, on slow 4G and a CPU slowed down four times. The control is a
 * plain HTML version of the same questions, one page per step, served from here with compression. Visits to both alternate. Only ratios of
 * medians are comparable between machines; use `ROUNDS=9` for figures to quote. `npm run build` must have run.
 */
import { contents } from "../src/web/contents.ts";
import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { Question } from "#core/questionnaire/definition.ts";
import { visibleOptions } from "#core/questionnaire/requirements.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { matchPath } from "#core/routes.ts";
import { plainText } from "#core/text.ts";
import { type Browser, chromium, type Page } from "@playwright/test";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync } from "node:zlib";
import { chromiumArguments, ensureChromium } from "../scripts/chromium.ts";
import { embeddedLink, optionLink } from "../src/web/pages/questionnaire/question/options.ts";
import { startBuiltSite } from "./runningSite.ts";

const rounds = Number(process.env["ROUNDS"] ?? 2);
const locale = "es-419";
const funnel = "/es-latam/habla-ingles/76";
/** Slow 4G: 1.6 Mb/s, 150 ms. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const slower = 4;
const limits = { paint: 1.25, shift: 0.01, tap: 0.8, bytes: 85_000, requests: 10 };
/** Time for requests that the page makes when idle, ms. */
const settleMs = 2_500;

const compiled = compile(contents.questionnaireFor("76", locale));
const context = { locale, country: "MX", platform: "other", requiresMarketingConsent: false, today: "2026-01-15" } as const;
const offer = compiled.definition.questions.find(({ contents: blocks }) => blocks.some(({ type }) => type === "price"));
const pages = [
  { name: "first question", path: `${funnel}/${compiled.definition.initialQuestion}/`, taps: true },
  { name: "home page", path: "/es-latam/", taps: true },
  ...(offer === undefined ? [] : [{ name: "offer", path: `${funnel}/${offer.id}/`, taps: false }]),
] as const;

interface Visit {
  readonly paint: number;
  readonly shift: number;
  /** Time from the start of the visit until the next question was painted, for a tap at the first paint, ms. */
  readonly tap: number;
  /** Bytes of HTML, CSS and JS received by then. */
  readonly bytes: number;
  readonly requests: number;
  readonly blocking: number;
}

const site = await startBuiltSite(4393);
const control = createServer((request, response) => {
  const body = brotliCompressSync(plainPage(new URL(`http://localhost${request.url}`)));
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.setHeader("content-encoding", "br");
  response.end(body);
});
control.listen(0, "localhost");
await once(control, "listening");
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
const controlUrl = `http://localhost:${(control.address() as AddressInfo).port}`;
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumArguments });
let failed = false;
try {
  console.log(
    `Medians of ${rounds} interleaved rounds, ${(network.downloadThroughput * 8) / 1e6} Mb/s, ${network.latency} ms, processor ${slower}× slower`,
  );
  for (const { name, path, taps } of pages) {
    const ours: Visit[] = [];
    const plain: Visit[] = [];
    // One warm-up visit each, after which the server has cached the page.
    await visit(browser, site.url + path, taps);
    await visit(browser, controlUrl + path, taps);
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await visit(browser, site.url + path, taps));
      plain.push(await visit(browser, controlUrl + path, taps));
    }
    const of = (visits: readonly Visit[], what: keyof Visit) => median(visits.map((one) => one[what]));
    const ratio = (what: "paint" | "tap") => of(ours, what) / of(plain, what);
    const beside = (what: "paint" | "tap") =>
      `${ratio(what).toFixed(2)} × (${Math.round(of(ours, what))} of ${Math.round(of(plain, what))} ms)`;
    console.log(`\n${name} (${path})`);
    report("largest paint", beside("paint"), ratio("paint") <= limits.paint);
    report("layout shift", of(ours, "shift").toFixed(4), of(ours, "shift") <= limits.shift);
    if (taps) {
      report("first tap acted on", beside("tap"), ratio("tap") <= limits.tap);
      report(
        "until alive",
        `${(of(ours, "bytes") / 1000).toFixed(1)} kB in ${of(ours, "requests")} requests (control ${(of(plain, "bytes") / 1000).toFixed(1)} kB)`,
        of(ours, "bytes") <= limits.bytes && of(ours, "requests") <= limits.requests,
      );
    }
    console.log(`     blocking: ${Math.round(of(ours, "blocking"))} ms (control ${Math.round(of(plain, "blocking"))} ms)`);
  }
} finally {
  await browser.close();
  control.close();
  await site.stop();
}
process.exit(failed ? 1 : 0);

/** Runs in each document before other scripts. Records paint times and the current question. */
function watch(): void {
  const seen = { paint: 0, shift: 0, blocking: 0, shown: {} as Record<string, number> };
  Object.assign(globalThis, { seen });
  const observe = (
    type: string,
    each: (entry: PerformanceEntry & { readonly value?: number; readonly hadRecentInput?: boolean }) => void,
  ) => new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  observe("largest-contentful-paint", ({ startTime }) => void (seen.paint = startTime));
  observe("layout-shift", ({ value = 0, hadRecentInput }) => void (seen.shift += hadRecentInput === true ? 0 : value));
  observe("longtask", ({ duration }) => void (seen.blocking += Math.max(0, duration - 50)));
  const look = () => {
    const id = document.querySelector<HTMLElement>("main")?.dataset["questionId"];
    const isPainted = performance.getEntriesByName("first-contentful-paint").length > 0;
    // The question's frame is complete when the next frame begins.
    if (id !== undefined && isPainted && seen.shown[id] === undefined)
      requestAnimationFrame(() => {
        const path = location.pathname;
        seen.shown[id] ??= performance.timeOrigin + performance.now();
        Reflect.get(globalThis, "told")?.({ id, path, at: seen.shown[id] });
      });
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

interface Told {
  readonly id: string;
  readonly path: string;
  readonly at: number;
}

async function visit(from: Browser, url: string, taps: boolean): Promise<Visit> {
  const context = await from.newContext({ viewport: { width: 390, height: 844 }, locale: "es-MX", hasTouch: true });
  const page = await context.newPage();
  const told: Told[] = [];
  let heard = () => {};
  await page.exposeFunction("told", (what: Told) => {
    told.push(what);
    heard();
  });
  await page.addInitScript(watch);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", network);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  const kinds = new Map<string, string>();
  const received = new Map<string, number>();
  const bytes = () => [...received].reduce((sum, [id, length]) => sum + (kinds.get(id) === "counted" ? length : 0), 0);
  session.on("Network.requestWillBeSent", ({ requestId, request, type = "Other" }) =>
    kinds.set(requestId, type === "Document" || /\.(?:js|css)$/.test(new URL(request.url).pathname) ? "counted" : type),
  );
  // Incomplete responses count with the bytes received so far.
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) =>
    received.set(requestId, (received.get(requestId) ?? 0) + encodedDataLength),
  );
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => received.set(requestId, encodedDataLength));
  const shown = async (holds: (what: Told) => boolean): Promise<Told> => {
    for (;;) {
      const found = told.find(holds);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (heard = resolve));
    }
  };
  await page.goto(url, { waitUntil: "commit" });
  const start = await page.evaluate(() => performance.timeOrigin);
  const first = await shown(() => true);
  // A tap ends the measurement of the largest paint, so paint and shift come from visits without a tap.
  let tap = 0;
  let untilAlive = 0;
  let requests = 0;
  if (taps) {
    await tapFirstOption(page);
    const next = await shown(({ path }) => path !== first.path);
    tap = next.at - start;
    untilAlive = bytes();
    requests = [...kinds.values()].filter((kind) => kind === "counted").length;
    await page.waitForTimeout(settleMs / 5);
    await context.close();
    const looked = await visit(from, url, false);
    return { ...looked, tap, bytes: untilAlive, requests };
  }
  await page.waitForTimeout(settleMs);
  const { paint, shift, blocking } = await page.evaluate(() => Reflect.get(globalThis, "seen"));
  await context.close();
  return { paint, shift, blocking, tap, bytes: untilAlive, requests };
}

async function tapFirstOption(page: Page): Promise<void> {
  const at = await page.evaluate(() => {
    const option = document.querySelector("[data-option-id]");
    option?.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = option?.getBoundingClientRect() ?? new DOMRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  await page.touchscreen.tap(at.x, at.y);
}

function plainPage({ pathname, searchParams }: URL): string {
  const match = matchPath(pathname);
  const isHome = match.kind === "page" && match.route === "home";
  const { embeddedQuestion } = compiled.definition;
  const id = match.kind === "page" && !isHome ? Number(match.params.question) : embeddedQuestion;
  const question = compiled.question(id);
  if (question === undefined) return "<!doctype html><title>404</title>";
  const code = searchParams.get("a") ?? "";
  const state = code === "" ? initialState(compiled) : replayAnswers(compiled, code, context);
  const linking = { locale, bare: false } as const;
  const options = visibleOptions(compiled, question, state, context).map((option) => {
    const href = isHome
      ? embeddedLink(linking, compiled, context, option)
      : optionLink(linking, compiled, state, context, question, option);
    return `<li><a data-option-id="${option.id}" href="${href ?? ""}">${plainText(option.description ?? "", {}, locale)}</a></li>`;
  });
  const [heading = "Parlando", ...texts] = textsOf(question);
  return `<!doctype html><html lang="es"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title><style>body{font:17px/1.5 sans-serif;max-width:36em;margin:0 auto;padding:1em}li{list-style:none}ul{padding:0}a{display:block;padding:1em;margin:.5em 0;border:1px solid #bbb;border-radius:12px;color:inherit;text-decoration:none}</style></head><body><main data-question-id="${isHome ? "home" : id}"><h1>${heading}</h1>${texts.map((text) => `<p>${text}</p>`).join("")}<ul>${options.join("")}</ul></main></body></html>`;
}

/** A question's texts, its heading first. */
function textsOf({ contents: blocks }: Question): readonly string[] {
  return blocks.flatMap((block) => ("text" in block && typeof block["text"] === "string" ? [block["text"]] : []));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

function report(what: string, value: string, holds: boolean) {
  if (!holds) failed = true;
  console.log(`${holds ? "ok  " : "FAIL"} ${what}: ${value}`);
}
