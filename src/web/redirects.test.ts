/** Addresses that redirect (spec 001 §2). */
import { type AddressedRoute, buildPath } from "#core/routes.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { noAssets } from "#test/noAssets.ts";
import { afterAll, expect, test } from "vitest";
import { defaultClientConfig } from "./clientConfig.ts";
import { createRenderer } from "./entry-server.tsx";

const renderer = createRenderer(noAssets, { ...defaultClientConfig, appUrl: "https://app.parlando.example" });
const { render } = renderer;
const publicUrl = "https://www.parlando.example";
const android = "Mozilla/5.0 (Linux; Android 14; Pixel 8)";
const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";

async function sentTo(url: string, userAgent = ""): Promise<string> {
  const answer = await render({ url, publicUrl, geoLocale: "es-419", localeCookie: undefined, userAgent, today: "2026-11-20" });
  return "location" in answer ? `${answer.status} ${answer.location}` : String(answer.status);
}

test.each([
  ["app/dashboard", "dashboard"],
  ["app/exercise", "exercise"],
  ["app/forgot-password", "forgot-password"],
] as const)("%s redirects to the app's %s, with locale, requested address and the platform's store", async (route, page) => {
  const path = buildPath(route, "de-DE");
  const [status, location = ""] = (await sentTo(path, android)).split(" ");
  const { origin, pathname, searchParams } = new URL(location);
  expect([status, origin, pathname]).toEqual(["302", "https://app.parlando.example", `/${page}`]);
  expect(Object.fromEntries(searchParams)).toEqual({
    locale: "de-DE",
    target: publicUrl + path,
    store: defaultClientConfig.storeLinks.android,
  });
  for (const other of [iPhone, "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"]) {
    const elsewhere = new URL((await sentTo(path, other)).split(" ")[1] ?? "");
    expect(elsewhere.searchParams.get("store"), other).toBe(defaultClientConfig.storeLinks.apple);
  }
});

test("the requested address keeps its query, without a token", async () => {
  const [, location = ""] = (await sentTo("/app/ejercicio/?lesson=7&token=t-1")).split(" ");
  expect(new URL(location).searchParams.get("target")).toBe(`${publicUrl}${buildPath("app/exercise", "es-419")}?lesson=7`);
});

test.each(["android", "apple"] as const)("where the operator has only the store of %s, every platform gets its link", async (store) => {
  const links = { android: null, apple: null, [store]: `https://store.example/${store}` };
  const only = createRenderer(noAssets, { ...defaultClientConfig, storeLinks: links });
  for (const userAgent of [android, iPhone, ""]) {
    const url = buildPath("app/dashboard", "de-DE");
    const answer = await only.render({ url, publicUrl, geoLocale: "es-419", localeCookie: undefined, userAgent, today: "2026-11-20" });
    expect("location" in answer && new URL(answer.location).searchParams.get("store")).toBe(links[store]);
  }
});

test("only the forgotten-password address passes a token on, and nothing else", async () => {
  const query = "?token=t-1&admin=1";
  const tokenAt = async (route: "app/dashboard" | "app/forgot-password") =>
    new URL((await sentTo(buildPath(route, "es-419") + query)).split(" ")[1] ?? "").searchParams;
  expect([(await tokenAt("app/forgot-password")).get("token"), (await tokenAt("app/forgot-password")).get("admin")]).toEqual(["t-1", null]);
  expect((await tokenAt("app/dashboard")).get("token")).toBeNull();
});

test("with several back ends the forgotten-password address passes on which of ours mailed the token", async () => {
  const backends = ["https://eu.parlando.example/api", "https://us.parlando.example/api"];
  const passedOn = async (named: string, known: readonly string[]) => {
    const { render: renderWith } = createRenderer(noAssets, { ...defaultClientConfig, backends: known });
    const url = `${buildPath("app/forgot-password", "es-419")}?${new URLSearchParams({ token: "t-1", "backend-url": named })}`;
    const answer = await renderWith({ url, publicUrl, geoLocale: "es-419", localeCookie: undefined, userAgent: "", today: "2026-11-20" });
    return "location" in answer && new URL(answer.location, publicUrl).searchParams.get("backend-url");
  };
  expect([
    await passedOn(String(backends[1]), backends),
    await passedOn("https://evil.example/api", backends),
    await passedOn(String(backends[0]), backends.slice(0, 1)),
  ]).toEqual([backends[1], null, null]);
});

test("the AI versions redirect to the AI site, the Mexican one to its own part", async () => {
  const ai = await sentTo(buildPath("questionnaire/root", "es-419", { version: "ai" }));
  expect(ai).toMatch(/^302 https:\/\//);
  expect(await sentTo(buildPath("questionnaire/root", "es-419", { version: "aimx" }))).toBe(`${ai.replace(/\/$/, "")}/mx`);
});

const developerPages = ["dev/index", "dev/generate", "dev/reset", "dev/seo", "dev/api", "dev/blocks"] as const;

const apps = new Map<boolean, Promise<TestApp>>();
afterAll(async () => {
  for (const app of apps.values()) await (await app).close();
});

/** The server's response to a request from an IP address. */
async function answered(production: boolean, route: AddressedRoute, headers: Record<string, string> = {}, remoteAddress = "127.0.0.1") {
  const made =
    apps.get(production) ?? createTestApp({ database: "sqlite", settings: { production }, parts: { site: { render, scriptHashes: [] } } });
  apps.set(production, made);
  const {
    statusCode,
    headers: said,
    body,
  } = await (await made).app.inject({ url: buildPath<AddressedRoute>(route, "en-US", {}), headers, remoteAddress });
  return [statusCode, said.location ?? /data-route="([^"]+)"/.exec(body)?.[1], said["x-robots-tag"]];
}

test("developer pages have no visible protection, and are not for search engines", async () => {
  for (const route of developerPages) expect(await answered(false, route, {}, "203.0.113.7")).toEqual([200, route, "noindex"]);
  expect(await answered(false, "dev/reset-root", {}, "203.0.113.7")).toEqual([302, buildPath("dev/reset", "en-US"), undefined]);
});

test("in production they are shown only to the machine itself, not through a proxy", async () => {
  for (const route of [...developerPages, "dev/reset-root"] as const) {
    expect((await answered(true, route, {}, "203.0.113.7")).slice(0, 2), route).toEqual([404, "not-found"]);
    expect((await answered(true, route, { "x-forwarded-for": "127.0.0.1" }))[0], route).toBe(404);
    for (const name of ["forwarded", "x-forwarded-host", "x-forwarded-proto", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip"])
      expect((await answered(true, route, { [name]: "127.0.0.1" }))[0], `${route} with ${name}`).toBe(404);
    expect((await answered(true, route, { host: "rebound.example:3000" }))[0], route).toBe(404);
    expect((await answered(true, route, { host: "127.0.0.1:3000" }))[0], route).toBe(route === "dev/reset-root" ? 302 : 200);
    expect((await answered(true, route))[0], route).toBe(route === "dev/reset-root" ? 302 : 200);
  }
});

test("every address of an AI version redirects there and keeps the query", async () => {
  const ai = await sentTo("/habla-ingles/ai/");
  expect(await sentTo("/de/englisch-sprechen/ai/2/?cid=spring")).toBe(`${ai}?cid=spring`);
});

test("another spelling of an address redirects or fails at once, without a second redirect", async () => {
  expect(await sentTo("/ES-mx/habla-ingles/76?cid=spring")).toBe("302 /es-latam/habla-ingles/76/2/?cid=spring");
  expect(await sentTo("/en-US/app/dashboard")).toContain("302 https://app.parlando.example/dashboard?locale=en-US");
  expect(await sentTo("/englisch-sprechen/nope")).toBe("404");
  expect(await sentTo("//parlando.example/de")).toBe("404");
});

test("addresses that redirect still do after somebody else in their network has had as many pages rendered as it may in a minute", async () => {
  const app = await createTestApp({
    database: "sqlite",
    settings: { production: true },
    parts: { site: { ...renderer, scriptHashes: [] } },
  });
  try {
    const from = (remoteAddress: string, url: string) =>
      app.app.inject({ url, remoteAddress }).then(({ statusCode, headers }) => [statusCode, headers.location]);
    for (let n = 0; n < 300; n += 1) await from("203.0.113.7", `/de/missing-${n}/`);
    expect((await from("203.0.113.7", "/de/missing/"))[0]).toBe(429);
    const version = buildPath("questionnaire/root", "de-DE", { version: "83" });
    const redirecting = [version, "/de/englisch-sprechen", "/de-DE/", buildPath("app/dashboard", "de-DE"), "//"];
    for (const url of redirecting.flatMap((path) => [path, `${path}?cid=spring&gclid=1`])) {
      const answer = await from("203.0.113.7", url);
      expect(answer[0], url).toBeOneOf([301, 302]);
      expect(answer, url).toEqual(await from("203.0.113.8", url));
    }
    expect((await from("203.0.113.7", "/de/missing/"))[0]).toBe(429);
  } finally {
    await app.close();
  }
});
