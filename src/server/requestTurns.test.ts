/** Only a few requests begin in each turn of the event loop, and networks take turns. */
import { createTestApp } from "#test/app.ts";
import { afterEach, describe, expect, it } from "vitest";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Sends requests that arrive together. @returns the networks in the order in which they were answered */
async function answeredTo(froms: readonly string[], url: string): Promise<readonly string[]> {
  const t = await createTestApp({ database: "sqlite" });
  closers.push(t.close);
  const answered: string[] = [];
  await Promise.all(
    froms.map(async (remoteAddress) => {
      await t.app.inject({ url, remoteAddress });
      answered.push(remoteAddress);
    }),
  );
  return answered;
}
const times = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n));

describe.each([
  "/api/nothing",
  "/healthz",
  "/api/config?version=v5.7.8&uiLanguage=es-419",
  "/api/products?productIds=x&customerCountry=MX",
])("requests for %s that arrive together", (url) => {
  it("are begun a few at a time: somebody else's does not wait for all of a stranger's", async () => {
    const order = await answeredTo([...times(400, () => "203.0.113.1"), "203.0.113.2"], url);
    expect(order.indexOf("203.0.113.2")).toBeLessThan(50);
  });

  it("of many networks are begun in turn, and those of one /48 are one network's", async () => {
    const strangers = [...times(400, (n) => `203.0.113.${n % 40}`), ...times(400, (n) => `2001:db8:0:${n}::1`)];
    const order = await answeredTo([...strangers, "198.51.100.1"], url);
    expect(order.indexOf("198.51.100.1")).toBeLessThan(150);
  });
});
