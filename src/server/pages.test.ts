import type { PageRequest, PageResponse } from "#core/page.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const dayMs = 24 * 60 * 60 * 1_000;

describe("pages", () => {
  let t: TestApp;
  let rendered: PageRequest[];
  let answer: (request: PageRequest) => PageResponse | Promise<PageResponse>;
  let buildDir: string;
  let shortest: (address: string) => string;
  const shared = (request: PageRequest): PageResponse => ({
    status: 200,
    html: `<!doctype html><p>${request.url} ${request.today}</p>${"x".repeat(2_000)}`,
    cacheable: true,
    headers: {},
  });

  beforeEach(async () => {
    rendered = [];
    answer = shared;
    shortest = (address) => address;
    buildDir = mkdtempSync(join(tmpdir(), "parlando-build-"));
    mkdirSync(join(buildDir, "client/assets"), { recursive: true });
    mkdirSync(join(buildDir, "media"));
    writeFileSync(join(buildDir, "client/assets/app-abc123.js"), "export {};");
    writeFileSync(join(buildDir, "media/logo.png"), "png");
    writeFileSync(join(buildDir, "client/secret.txt"), "not served");
    t = await createTestApp({
      database: "sqlite",
      settings: { countryHeader: "cf-ipcountry" },
      parts: {
        buildDir,
        site: {
          scriptHashes: ["'sha256-abc='"],
          // Like the real renderer: the root has one page per locale.
          requestedPage: ({ url, localeCookie }) => ({ url: shortest(url), key: url === "/" ? `/ ${localeCookie}` : shortest(url) }),
          render: async (request) => (rendered.push(request), answer(request)),
        },
      },
    });
  });
  afterEach(async () => {
    await t.close();
    rmSync(buildDir, { recursive: true, force: true });
  });
  const get = (url: string, headers: Record<string, string> = {}) => t.app.inject({ url, headers });

  it("that differ by locale are rendered once in each, whatever parameters a campaign adds, and no shared cache stores them", async () => {
    answer = (request) => ({
      status: 200,
      html: `<p>${request.localeCookie}</p>`,
      cacheable: true,
      headers: { vary: "Accept-Encoding, Cookie", "cache-control": "private, no-cache" },
    });
    const inLocale = (url: string, locale: string) => get(url, { cookie: `parlando-locale=${locale}` });
    const first = await inLocale("/?utm_source=ad&fbclid=1", "it-IT");
    const bodies = [(await inLocale("/?gclid=2&x=3", "it-IT")).body, (await inLocale("/?utm_source=ad", "de-DE")).body];
    expect([first.body, ...bodies]).toEqual(["<p>it-IT</p>", "<p>it-IT</p>", "<p>de-DE</p>"]);
    expect(rendered.map(({ url, localeCookie }) => [url, localeCookie])).toEqual([
      ["/", "it-IT"],
      ["/", "de-DE"],
    ]);
    expect(first.headers).toMatchObject({ "cache-control": "private, no-cache", vary: "Accept-Encoding, Cookie" });
  });

  it("that are the same for everybody are rendered once, whatever parameters a campaign adds", async () => {
    const first = await get("/es-latam/habla-ingles/76/2/");
    const again = await get("/es-latam/habla-ingles/76/2/?utm_source=mail&gclid=1");
    expect(again.body).toBe(first.body);
    expect(rendered.map(({ url }) => url)).toEqual(["/es-latam/habla-ingles/76/2/"]);
    expect(first.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "public, max-age=0, s-maxage=300, stale-while-revalidate=600",
      vary: "accept-encoding",
    });
  });

  it("are rendered and cached once for all addresses with the same shortest form", async () => {
    shortest = (address) => address.replace(/\?a=junk.*/, "");
    const plain = await get("/es-latam/habla-ingles/76/3/");
    expect((await get("/es-latam/habla-ingles/76/3/?a=junk1")).body).toBe(plain.body);
    expect((await get("/es-latam/habla-ingles/76/3/?a=junk2")).body).toBe(plain.body);
    expect(rendered).toHaveLength(1);
  });

  it("that many request at once are rendered once and cached once", async () => {
    // Thirteen copies would exceed the cache.
    answer = (request) => ({ ...shared(request), html: `${request.url} ${"x".repeat(2_000_000)}` });
    await Promise.all(Array.from({ length: 13 }, () => get("/es-latam/habla-ingles/76/3/")));
    await get("/es-latam/habla-ingles/76/4/");
    await get("/es-latam/habla-ingles/76/4/");
    expect(rendered.map(({ url }) => url)).toEqual(["/es-latam/habla-ingles/76/3/", "/es-latam/habla-ingles/76/4/"]);
  });

  it("that must be rendered are limited per network; cached ones are not", async () => {
    const from = (url: string, remoteAddress: string) => t.app.inject({ url, remoteAddress });
    for (let n = 0; n < 300; n++) expect((await from(`/es-latam/page-${n}/`, "203.0.113.1")).statusCode).toBe(200);
    const refused = await from("/es-latam/page-300/", "203.0.113.1");
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(rendered).toHaveLength(300);
    expect((await from("/es-latam/page-0/", "203.0.113.1")).statusCode).toBe(200);
    expect((await from("/es-latam/page-300/", "203.0.113.2")).statusCode).toBe(200);
  });

  it("that wait to be rendered let calls run first", async () => {
    const order: string[] = [];
    answer = (request) => (order.push("page"), shared(request));
    const pages = Array.from({ length: 50 }, (_, n) => get(`/es-latam/waiting-${n}/`));
    const call = t.app.inject({ url: "/geo.json" }).then(() => order.push("call"));
    await Promise.all([...pages, call]);
    expect(order.filter((what) => what === "page")).toHaveLength(50);
    expect(order.indexOf("call")).toBeLessThan(40);
  });

  /** Requests pages at once, each from its network. All of them wait before the first one is rendered. */
  async function flood(pages: readonly (readonly [url: string, network: string])[]) {
    let asked = 0;
    shortest = (address) => (asked++, address);
    const page = answer;
    answer = async (request) => {
      while (asked < pages.length) await nextTurn();
      await nextTurn();
      return page(request);
    };
    const answers = await Promise.all(
      pages.map(([url, remoteAddress]) => t.app.inject({ url, remoteAddress, headers: { "accept-encoding": "br" } })),
    );
    [shortest, answer] = [(address) => address, page];
    return answers;
  }

  it("that wait to be rendered take turns by network: one that asks for many delays nobody else", async () => {
    const many = Array.from({ length: 50 }, (_, n) => [`/es-latam/many-${n}/`, "203.0.113.1"] as const);
    const site = Array.from({ length: 50 }, (_, n) => [`/es-latam/site-${n}/`, `2001:db8:1:${n}::1`] as const);
    await flood([...many, ...site, ["/es-latam/one/", "203.0.113.2"]]);
    expect(rendered).toHaveLength(101);
    expect(rendered.findIndex(({ url }) => url === "/es-latam/one/")).toBeLessThan(5);
  });

  it("that wait to be rendered come first for networks that asked for few lately: hundreds that ask for many delay nobody else", async () => {
    const from = (n: number) => `198.51.${100 + Math.floor(n / 50)}.${n % 50}`;
    for (let n = 0; n < 100; n++)
      for (let page = 0; page < 10; page++) await t.app.inject({ url: `/es-latam/early-${n}-${page}/`, remoteAddress: from(n) });
    rendered.length = 0;
    const many = Array.from({ length: 100 }, (_, n) => [`/es-latam/many-${n}/`, from(n)] as const);
    await flood([...many, ["/es-latam/one/", "203.0.113.2"]]);
    expect(rendered).toHaveLength(101);
    expect(rendered.findIndex(({ url }) => url === "/es-latam/one/")).toBeLessThan(5);
  });

  it("are compressed quickly while many wait, and well when they are requested later", async () => {
    answer = (request) => ({ ...shared(request), html: `${request.url} ${Array.from({ length: 2_000 }, (_, n) => n * n).join(" ")}` });
    const pages = Array.from({ length: 30 }, (_, n) => [`/es-latam/many-${n}/`, "203.0.113.1"] as const);
    const isWell = ({ rawPayload }: { readonly rawPayload: Buffer }) =>
      rawPayload.equals(
        brotliCompressSync(brotliDecompressSync(rawPayload), {
          params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
        }),
      );
    const answers = await flood(pages);
    expect(answers.filter(isWell).length).toBeLessThan(3);
    const later = await get("/es-latam/many-3/", { "accept-encoding": "br" });
    expect([isWell(later), brotliDecompressSync(later.rawPayload).toString().slice(0, 17)]).toEqual([true, "/es-latam/many-3/"]);
  });

  it("are rendered once for all values of a parameter that mean the same", async () => {
    const first = await get("/es-latam/habla-ingles/76/2/?hf");
    for (const value of ["1", "2", "%F0%9F%92%A9"]) expect((await get(`/es-latam/habla-ingles/76/2/?hf=${value}`)).body).toBe(first.body);
    for (const values of ["country=MX&platform=apple", "country=MX&country=junk&platform=apple"])
      await get(`/es-latam/a/?${values}&picture`);
    for (const values of ["", "country=junk", "country=mx&platform=junk"]) await get(`/es-latam/a/?${values}&picture`);
    expect(rendered.map(({ url }) => url)).toEqual([
      "/es-latam/habla-ingles/76/2/?hf=",
      "/es-latam/a/?country=MX&platform=apple&picture=",
      "/es-latam/a/?picture=",
    ]);
  });

  it("differ by the answers in the link", async () => {
    await get("/es-latam/habla-ingles/76/3/?a=2.1");
    await get("/es-latam/habla-ingles/76/3/?a=2.2&utm=1");
    expect(rendered.map(({ url }) => url)).toEqual(["/es-latam/habla-ingles/76/3/?a=2.1", "/es-latam/habla-ingles/76/3/?a=2.2"]);
  });

  it("are rendered again on a new day", async () => {
    await get("/a/");
    t.world.pass(dayMs);
    expect((await get("/a/")).body).toContain("2026-11-21");
  });

  it("are compressed as the browser accepts, and not sent when the browser has them", async () => {
    const plain = await get("/a/");
    const brotli = await get("/a/", { "accept-encoding": "gzip, br" });
    expect(brotli.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    const gzip = await get("/a/", { "accept-encoding": "gzip" });
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    // A coding with weight 0 is refused (RFC 9110 §12.5.3).
    expect((await get("/a/", { "accept-encoding": "br;q=0, gzip" })).headers["content-encoding"]).toBe("gzip");
    expect((await get("/a/", { "accept-encoding": "br;q=0.2, gzip" })).headers["content-encoding"]).toBe("gzip");
    expect((await get("/a/", { "accept-encoding": "identity" })).headers["content-encoding"]).toBeUndefined();
    const known = await get("/a/", { "if-none-match": String(plain.headers.etag) });
    expect([known.statusCode, known.body]).toEqual([304, ""]);
  });

  it.each(["x-gzip", "GZIP", "BR", "gzip;q=0.5, identity", "x-gzip;q=0.5, identity;q=1", "*", "deflate"])(
    "are compressed once, not again for each request that accepts %s",
    async (accepted) => {
      answer = (request) => ({ ...shared(request), status: 200, cacheable: true, html: "<p>long</p>".repeat(10_000), headers: {} });
      await get("/a/");
      const { headers, rawPayload } = await get("/a/", { "accept-encoding": accepted });
      // What is compressed while it is sent has no known length.
      expect(headers["content-length"]).toBe(String(rawPayload.length));
      expect((await get("/a/", { "accept-encoding": accepted })).rawPayload.equals(rawPayload)).toBe(true);
    },
  );

  it("that are not the same for everybody are rendered for each visit, with the visitor's preferences", async () => {
    answer = (request) => ({ ...shared(request), status: 200, cacheable: false, html: "<p>own</p>", headers: { vary: "Cookie" } });
    await get("/?token=1", { cookie: "parlando-locale=it-IT", "accept-language": "it" });
    const response = await get("/", { cookie: "parlando-locale=de-DE" });
    expect(rendered.map(({ url, localeCookie, geoLocale }) => [url, localeCookie, geoLocale])).toEqual([
      ["/", "it-IT", "it-IT"],
      ["/", "de-DE", "es-419"],
    ]);
    expect(response.headers).toMatchObject({ "cache-control": "private, no-cache", vary: expect.stringContaining("Cookie") });
  });

  it.each([
    [{ "accept-language": "es-MX,es;q=0.9,en;q=0.8", "cf-ipcountry": "DE" }, "es-419"],
    [{ "accept-language": "es-ES" }, "es-ES"],
    [{ "accept-language": "xx-XX, en;q=0.2" }, "en-US"],
    [{ "accept-language": "en;q=0.1, pt;q=0.7" }, "pt-BR"],
    [{ "accept-language": "xx", "cf-ipcountry": "BR" }, "pt-BR"],
    [{ "accept-language": "xx", "cf-ipcountry": "AQ" }, "es-419"],
    [{ "accept-language": "*;q=0, ;;," }, "es-419"],
    [{ "cf-ipcountry": "AT" }, "de-DE"],
  ] as const)("are told what geo says to a visitor with %j: %s (spec 000 §7)", async (headers, locale) => {
    await get("/", headers);
    expect([rendered[0]?.geoLocale, (await get("/geo.json", headers)).json()]).toMatchObject([locale, { locale }]);
  });

  it("may redirect, keeping the whole query", async () => {
    answer = ({ url }) => ({ status: 301, location: `/es-latam${url}`, headers: {} });
    const response = await get("/habla-ingles/?gclid=1");
    expect([response.statusCode, response.headers.location]).toEqual([301, "/es-latam/habla-ingles/?gclid=1"]);
  });

  it("may ask for stricter headers than the others", async () => {
    answer = (request) => ({
      ...shared(request),
      status: 200,
      cacheable: false,
      html: "<p>link</p>",
      headers: { "referrer-policy": "no-referrer" },
    });
    expect((await get("/link/login")).headers["referrer-policy"]).toBe("no-referrer");
  });

  it.each(["token", "confirm_token"])("send no referrer when their address has a %s; without it they do", async (name) => {
    const policyOf = async (url: string) => (await get(url)).headers["referrer-policy"];
    const path = "/es-latam/olvide-mi-contrasena/";
    const usual = "strict-origin-when-cross-origin";
    expect(await policyOf(path)).toBe(usual);
    expect(await policyOf(`${path}?gclid=1&${name}=secret`)).toBe("no-referrer");
    expect(await policyOf(`${path}?gclid=1`)).toBe(usual);
    answer = ({ url }) => ({ status: 302, location: `https://app.parlando.example${url}`, headers: {} });
    expect(await policyOf(`/es-latam/app/olvide-mi-contrasena/?${name}=secret`)).toBe("no-referrer");
    answer = () => ({ status: 404, html: "<p>not here</p>", cacheable: true, headers: {} });
    expect(await policyOf(`/nothing?${name}=secret`)).toBe("no-referrer");
  });

  it("that do not exist say so and are not cached", async () => {
    answer = () => ({ status: 404, html: "<p>not here</p>", cacheable: true, headers: {} });
    expect((await get("/nothing")).statusCode).toBe(404);
    await get("/nothing");
    expect(rendered).toHaveLength(2);
  });

  it("run only our own and the hashed scripts, and cannot be framed", async () => {
    const policy = String((await get("/a/")).headers["content-security-policy"]);
    expect(policy).toBe(
      "default-src 'none';base-uri 'none';object-src 'none';frame-ancestors 'none';form-action 'self';script-src 'self' 'sha256-abc=';style-src 'self' 'unsafe-inline';img-src 'self' data:;font-src 'self';media-src 'self';manifest-src 'self';connect-src 'self' https://parlando.example;frame-src 'self'",
    );
  });

  it("name Paddle's hosts only when Paddle is configured, live or sandbox", async () => {
    const paddle = { apiKey: "a", clientToken: "b", webhookSecrets: ["c"], prices: {} };
    const policyWith = async (environment: "sandbox" | "production") => {
      const other = await createTestApp({ database: "sqlite", settings: { paddle: { ...paddle, environment } } });
      const { headers } = await other.app.inject({ url: "/a/" });
      await other.close();
      return String(headers["content-security-policy"]);
    };
    expect(await policyWith("production")).toMatch(/frame-src 'self' https:\/\/buy\.paddle\.com$/);
    expect(await policyWith("sandbox")).toMatch(/frame-src 'self' https:\/\/sandbox-buy\.paddle\.com$/);
    expect(await policyWith("production")).not.toContain("sandbox");
  });

  it("may be framed by our own pages where they are the gallery of blocks, with a locale's prefix and without", async () => {
    for (const url of ["/dev/blocks/", "/es-latam/dev/blocks/", "/en/dev/blocks/?type=title"])
      expect([url, (await get(url)).headers["content-security-policy"]]).toEqual([url, expect.stringContaining("frame-ancestors 'self'")]);
    expect((await get("/dev/api/")).headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });

  it("are served with files: hashed ones are cached forever, pictures for a day, and no other file of the build is served", async () => {
    expect((await get("/assets/app-abc123.js")).headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none';style-src 'unsafe-inline';base-uri 'none';frame-ancestors 'none'",
    });
    expect((await get("/media/logo.png")).headers["cache-control"]).toBe("public, max-age=86400");
    for (const url of ["/assets/none.js", "/assets/../secret.txt", "/assets/..%2fsecret.txt", "/media/%2e%2e/client/secret.txt"])
      expect([url, (await get(url)).body]).not.toEqual([url, "not served"]);
    expect((await get("/assets/none.js")).statusCode).toBe(404);
  });

  it.each(["x-gzip", "gzip", "br", "gzip;q=0.5, identity"])(
    "have files that are never compressed while they are sent, whatever the client accepts (%s): that takes longer than all else about a file",
    async (accepted) => {
      const text = "export const text = 1;\n".repeat(2_000);
      writeFileSync(join(buildDir, "client/assets/long-abc123.js"), text);
      writeFileSync(join(buildDir, "media/long.svg"), text);
      for (const url of ["/assets/long-abc123.js", "/media/long.svg"]) {
        const { headers, body } = await get(url, { "accept-encoding": accepted });
        expect([headers["content-encoding"], headers["content-length"], body === text]).toEqual([undefined, String(text.length), true]);
      }
    },
  );

  it("come with their files, and monitors are answered, when a busy process refuses calls", async () => {
    const busy = await createTestApp({ database: "sqlite", settings: { busyAfterMs: 1 }, parts: { buildDir } });
    await busy.app.ready();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
    const statusOf = async (url: string) => (await busy.app.inject({ url })).statusCode;
    // The delay is measured once a second and counts until the next measurement.
    await expect.poll(() => statusOf("/geo.json")).toBe(503);
    for (const url of ["/", "/assets/app-abc123.js", "/media/logo.png", "/healthz", "/readyz"])
      expect([url, await statusOf(url)]).toEqual([url, 200]);
    await busy.close();
  });

  it("refuse addresses over 4,000 characters", async () => {
    expect((await get(`/a/?a=${"1".repeat(4_000)}`)).statusCode).toBe(400);
  });
});
