/** Known pages are answered before Fastify. Each answer must be the one that Fastify would send (decision 227). */
import { createTestApp, type TestApp } from "#test/app.ts";
import { once } from "node:events";
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { promisify } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";

const page = "/es-latam/habla-ingles/76/2/";
const metricsToken = "m".repeat(32);
let t: TestApp;
let ending: boolean;
let origin: string;
/** The addresses of the requests that Fastify answered. */
let toFastify: string[];
/** What each rendering waits for, once it has begun. */
let toRender: () => Promise<void>;

beforeEach(async () => {
  toFastify = [];
  toRender = async () => {};
  ending = false;
  t = await createTestApp({
    database: "sqlite",
    settings: { metricsToken, proxyHops: 1 },
    parts: {
      ending: () => ending,
      middleware: ({ url = "" }, _, next) => (toFastify.push(url), next()),
      site: {
        scriptHashes: [],
        render: async ({ url, today }) => {
          await toRender();
          return { status: 200, html: `<!doctype html><p>${url} ${today}</p>${"x".repeat(2_000)}`, cacheable: true, headers: {} };
        },
      },
    },
  });
  origin = await t.app.listen({ port: 0, host: "127.0.0.1" });
  await get(page);
  toFastify.length = 0;
});
afterEach(() => t.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(new URL(path, origin), { method, headers: { "accept-encoding": "br", ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }));
    })
      .on("error", reject)
      .end();
  });
}

const changing = ["date", "x-request-id"];
const withoutChanging = (headers: Answer["headers"] | OutgoingHttpHeaders, also: readonly string[] = []) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => ![...changing, ...also].includes(name)));

it("a known page is answered as Fastify answers it, with and without the parameters of a campaign", async () => {
  const { headers: first } = await t.app.inject({ url: page, headers: { "accept-encoding": "br" } });
  toFastify.length = 0;
  const plain = await get(page);
  const campaign = await get(`${page}?utm_source=ad&fbclid=1`);
  expect(toFastify).toEqual([]);
  const ofConnection = ["connection", "keep-alive"];
  expect(withoutChanging(plain.headers, ofConnection)).toEqual(withoutChanging(first, ofConnection));
  expect([campaign.body.equals(plain.body), withoutChanging(campaign.headers)]).toEqual([true, withoutChanging(plain.headers)]);
  const ids = [first, plain.headers, campaign.headers].map((headers) => headers["x-request-id"]);
  expect([new Set(ids).size, ids.every((id) => typeof id === "string")]).toEqual([3, true]);
  expect(brotliDecompressSync(plain.body).toString()).toContain(page);
});

it("a known page is counted in the metrics", async () => {
  await get(page);
  const text = String((await get("/metrics", { authorization: `Bearer ${metricsToken}`, "accept-encoding": "identity" })).body);
  expect(text).toContain('parlando_requests_total{route="/*",status="200"} 2');
});

it.each([
  ["a method", () => get(page, {}, "HEAD"), { status: 200, headers: { "content-encoding": "br" } }],
  ["another encoding", () => get(page, { "accept-encoding": "gzip" }), { status: 200, headers: { "content-encoding": "gzip" } }],
  [
    "the page in the browser's cache",
    async () => get(page, { "if-none-match": String((await get(page)).headers.etag) }),
    { status: 304, headers: {} },
  ],
  ["a secret", () => get(`${page}?token=secret`), { status: 200, headers: { "referrer-policy": "no-referrer" } }],
  [
    "a picture's frame",
    () => get(`${page}?picture`),
    { status: 200, headers: { "content-security-policy": expect.stringContaining("frame-ancestors 'self'") } },
  ],
  ["a parameter of the page", () => get(`${page}?hf`), { status: 200, headers: {} }],
  ["an address that is too long", () => get(`${page}?utm_source=${"a".repeat(4_000)}`), { status: 400, headers: {} }],
  ["a body", () => get(page, { "content-length": "0" }), { status: 200, headers: {} }],
])("a request with %s goes to Fastify", async (_, ask, answer) => {
  expect(await ask()).toMatchObject(answer);
  expect(toFastify).toHaveLength(1);
});

it("nobody may frame a known page, even after it was requested with an address that ends like that of the studio's preview", async () => {
  const other = "/es-latam/habla-ingles/76/3/";
  for (const path of [`${other}?utm_source=?picture`, other])
    expect((await get(path)).headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});

it("of many requests for known pages that arrive together few are answered at once: somebody else's call does not wait for all of them", async () => {
  const count = 400;
  const opened = await Promise.all(
    Array.from({ length: count + 1 }, async () => {
      const socket = connect(Number(new URL(origin).port), "127.0.0.1");
      await once(socket, "connect");
      return socket;
    }),
  );
  const connections = promisify(t.app.server.getConnections.bind(t.app.server));
  while ((await connections()) <= count) await new Promise(setImmediate);
  const answered: number[] = [];
  const all = opened.map(async (socket, n) => {
    await once(socket, "data");
    answered.push(n);
    socket.destroy();
  });
  for (const [n, socket] of opened.entries())
    socket.write(
      n < count
        ? `GET ${page} HTTP/1.1\r\nhost: a\r\naccept-encoding: br\r\nx-forwarded-for: 203.0.113.1\r\n\r\n`
        : "GET /healthz HTTP/1.1\r\nhost: a\r\nx-forwarded-for: 203.0.113.2\r\n\r\n",
    );
  await Promise.all(all);
  expect(answered.indexOf(count)).toBeLessThan(150);
  expect(toFastify.filter((url) => url === page).length).toBeGreaterThan(0);
});

it("during shutdown each answer closes its connection", async () => {
  ending = true;
  expect((await get(page)).headers.connection).toBe("close");
  ending = false;
  expect((await get(page)).headers.connection).toBe("keep-alive");
});

it("a known page is rendered again on a new day", async () => {
  t.world.pass(24 * 60 * 60 * 1_000);
  expect(brotliDecompressSync((await get(page)).body).toString()).toContain("2026-11-21");
});

it("a page that was still being rendered when the day began is rendered again: it would show yesterday's dates all day", async () => {
  const other = `${page}?hf`;
  const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  toRender = () => (begun.resolve(), goesOn.promise);
  const late = get(other);
  await begun.promise;
  t.world.pass(24 * 60 * 60 * 1_000);
  const first = get(page);
  await expect.poll(() => toFastify).toContain(page);
  goesOn.resolve();
  await Promise.all([late, first]);
  expect(brotliDecompressSync((await get(other)).body).toString()).toContain("2026-11-21");
});

it("two Host headers are refused, and a connection that sends hundreds of requests without waiting is cut", async () => {
  const answersTo = async (sent: string): Promise<string> => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    let received = "";
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.write(sent);
    await once(socket, "close");
    return received;
  };
  const head = `GET ${page} HTTP/1.1\r\naccept-encoding: br\r\nhost: a\r\n`;
  expect(await answersTo(`${head}host: b\r\nconnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400/);
  expect((await answersTo(`${head}\r\n`.repeat(800))).split("HTTP/1.1 200").length - 1).toBeLessThanOrEqual(9);
});
