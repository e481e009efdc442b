/** Simulated visitors who walk the funnel one after the other, without pauses. Their calls are spread over the processes, as by a load balancer without affinity. */
import { buildPath } from "#core/routes.ts";
import { Agent, request } from "node:http";
import { createChance } from "../scripts/demo/chance.ts";
import type { Request, Send } from "../scripts/demo/client.ts";
import { visitsOf } from "../scripts/demo/visits.ts";
import { walk } from "../scripts/demo/walk.ts";

/** Calls that hash a password, which is slow on purpose. */
const hashing: ReadonlySet<string> = new Set(["/api/signup", "/api/login"]);

export interface Load {
  visitors: number;
  /** Duration of each call without a password, ms. */
  readonly ms: number[];
  /** Duration of each call with a password, ms. */
  readonly hashingMs: number[];
  /** Answers other than 2xx, by path and status. */
  readonly refused: Map<string, number>;
}

export interface Crowd {
  /** Lets so many visitors at once walk until the time is over. Each round needs its own number, for other visitors. */
  readonly walk: (atOnce: number, seconds: number, round: number) => Promise<Load>;
  readonly close: () => void;
}

export function createCrowd(urls: readonly string[]): Crowd {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  let turn = 0;

  function sendFor(load: Load): Send {
    return ({ method, url, remoteAddress, headers, payload }: Request) => {
      const target = new URL(url, urls[turn++ % urls.length]);
      const began = performance.now();
      return new Promise((resolve, reject) => {
        const sent = request(target, { agent, method, headers: { ...headers, "x-forwarded-for": remoteAddress } }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const statusCode = response.statusCode ?? 0;
            const path = target.pathname;
            (hashing.has(path) ? load.hashingMs : load.ms).push(performance.now() - began);
            if (statusCode >= 300) load.refused.set(`${path} ${statusCode}`, (load.refused.get(`${path} ${statusCode}`) ?? 0) + 1);
            resolve({ statusCode, body: Buffer.concat(chunks).toString() });
          });
        });
        sent.on("error", reject);
        sent.end(payload);
      });
    };
  }

  return {
    async walk(atOnce, seconds, round) {
      const load: Load = { visitors: 0, ms: [], hashingMs: [], refused: new Map() };
      const send = sendFor(load);
      const end = performance.now() + seconds * 1_000;
      await Promise.all(Array.from({ length: atOnce }, (_, index) => visitors(send, end, round * 1_000 + index, load)));
      return load;
    },
    close: () => agent.destroy(),
  };
}

async function visitors(send: Send, end: number, seed: number, load: Load): Promise<void> {
  for (let nth = 0; performance.now() < end; nth++) {
    const [visit] = visitsOf(1, 1, Date.now(), createChance(seed * 100_003 + nth));
    if (visit === undefined) continue;
    // Each visitor has an own address, because rate limits apply per network.
    const network = `10.${seed & 255}.${(nth >> 8) & 255}.${nth & 255}`;
    const page = buildPath("questionnaire/question", visit.locale, { version: "83", question: "2" });
    await send({ method: "GET", url: page, remoteAddress: network, headers: {} });
    const steps = walk({ ...visit, network, isBot: false }, { build: "", send, now: Date.now, pay: async () => false });
    try {
      while (!(await steps.next()).done && performance.now() < end);
    } catch (error) {
      // `Load.refused` counts refusals.
      if (!/: \d{3} /.test(String(error))) throw error;
    }
    load.visitors += 1;
  }
}
