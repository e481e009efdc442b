/**
 * Playwright's global set-up (playwright.config.ts): for each set of settings one site, which all workers share. It starts at the first
 * request. Starting a site takes two seconds of CPU time, and each new site must render its pages again.
 */
import { createServer } from "node:http";
import * as v from "valibot";
import { hangingTest } from "../patience.ts";
import { brokerVariable, type OwnSite, startSite } from "./site.ts";

const settingsSchema = v.record(v.string(), v.string());

/** Serves sites to workers. @returns a function that stops everything */
export default async function setup(): Promise<() => Promise<void>> {
  const sites = new Map<string, Promise<OwnSite>>();
  const siteWith = (name: string) => {
    const site = sites.get(name) ?? startSite(v.parse(settingsSchema, JSON.parse(name)));
    sites.set(name, site);
    return site;
  };
  // Keeps idle connections open. A worker could reuse one at the moment at which the broker closes it, and its test would fail.
  const broker = createServer({ keepAliveTimeout: hangingTest }, (request, response) => {
    let name = "";
    request.on("data", (chunk: Buffer) => (name += chunk.toString()));
    request.on("end", () =>
      siteWith(name).then(
        ({ url, dataDir }) => response.end(JSON.stringify({ url, dataDir })),
        (error: unknown) => response.writeHead(500).end(String(error)),
      ),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, "127.0.0.1", resolve));
  const address = broker.address();
  if (address === null || typeof address === "string") throw new Error("The broker has no port");
  process.env[brokerVariable] = `http://127.0.0.1:${address.port}/`;
  return async () => {
    broker.closeAllConnections();
    await new Promise((resolve) => broker.close(resolve));
    // A site that did not start has failed the tests that asked for it.
    await Promise.allSettled([...sites.values()].map(async (site) => (await site).stop()));
  };
}
