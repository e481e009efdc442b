/**
 * `npm run bench:outside`: measures when the first step is usable while every third-party script hangs for 30 s, compared with the same site
 * without third-party scripts. Rounds alternate between both, so that load on the machine affects both; medians are compared. The time runs from
 * the request for the page until a tap on the first answer has shown the second question. `npm run build` must have run.
 */
import { type Browser, chromium, type Request } from "@playwright/test";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startBuiltSite } from "./runningSite.ts";
import { median } from "./statistics.ts";
import { chromiumArguments, ensureChromium } from "../scripts/chromium.ts";

const rounds = process.argv.includes("--quick") ? 10 : 60;
const limit = 1.05;
const hangsFor = 30_000;
const outside = {
  TAG_MANAGER_ID: "GTM-BENCH",
  ANALYTICS_ID: "G-BENCH",
  BRAZE_KEY: "key",
  BRAZE_URL: "sdk.fra-01.braze.eu",
  CHAT_VENDOR: "zendesk",
  CHAT_KEY: "key",
};

const hanging = await hangingServer();
const { port } = addressOf(hanging.server);
const common = { COUNTRY_HEADER: "cf-ipcountry" };
const sites = {
  without: await startBuiltSite(4391, common),
  hanging: await startBuiltSite(4392, { ...common, ...outside }),
};
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: [
    ...chromiumArguments,
    // Every other host resolves to the hanging server.
    `--host-resolver-rules=MAP * 127.0.0.1:${port}, EXCLUDE localhost`,
  ],
});
const times: Record<keyof typeof sites, number[]> = { without: [], hanging: [] };
let asked = 0;
try {
  for (const site of Object.values(sites)) await visit(browser, site.url, false);
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (["without", "hanging"] as const) : (["hanging", "without"] as const);
    for (const kind of order) {
      const { usable, others } = await visit(browser, sites[kind].url, kind === "hanging");
      times[kind].push(usable);
      if (others > 0) asked += 1;
    }
  }
} finally {
  await browser.close();
  hanging.close();
  for (const site of Object.values(sites)) await site.stop();
}
const medians = { without: median(times.without), hanging: median(times.hanging) };
const ratio = medians.hanging / medians.without;
console.log(
  `${rounds} rounds: without ${medians.without.toFixed(0)} ms, hanging ${medians.hanging.toFixed(0)} ms; others were asked in ${asked}`,
);
const holds = ratio <= limit && asked === rounds;
console.log(`${holds ? "ok  " : "FAIL"} first step usable while every outside script hangs (ratio at most ${limit}): ${ratio.toFixed(3)}`);
process.exit(holds ? 0 : 1);

/** A server that accepts connections, never answers, and closes each after at most 30 s. */
async function hangingServer(): Promise<{ readonly server: Server; readonly close: () => void }> {
  const server = createServer();
  server.on("connection", (socket) => {
    socket.setTimeout(hangsFor, () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    server,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return address;
}

/** Time from the request to the second question, ms, for a new visitor from a country that needs no consent. */
async function visit(on: Browser, url: string, asksOthers: boolean): Promise<{ readonly usable: number; readonly others: number }> {
  const context = await on.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: "reduce",
    extraHTTPHeaders: { "cf-ipcountry": "MX" },
  });
  const page = await context.newPage();
  let others = 0;
  const isOther = (request: Request) => new URL(request.url()).hostname !== "localhost";
  page.on("request", (request) => {
    if (isOther(request)) others += 1;
  });
  // The page taps by itself as soon as the script is ready, to avoid round trips to the benchmark.
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      const root = document.documentElement;
      const question = document.querySelector("main")?.dataset["questionId"];
      if (root.dataset["ready"] === "true" && question === "2") document.querySelector<HTMLElement>("main [data-option-id]")?.click();
      if (question === undefined || question === "2" || root.dataset["usable"] !== undefined) return;
      root.dataset["usable"] = String(performance.now());
    });
    seen.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready", "data-question-id"] });
  });
  await page.goto(`${url}/es-latam/habla-ingles/76/2/`, { waitUntil: "commit" });
  const usable = await page.waitForFunction(() => document.documentElement.dataset["usable"], undefined, { timeout: 60_000 });
  const time = Number(await usable.jsonValue());
  // Third-party scripts are requested a little later: waits for that before the visit ends.
  if (asksOthers && others === 0) await page.waitForEvent("request", { predicate: isOther, timeout: 30_000 });
  await context.close();
  return { usable: time, others };
}
