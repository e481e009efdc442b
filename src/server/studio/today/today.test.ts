/** The studio's first screen over real events and real payments through the stand-in. */
import { createKeptDays } from "#server/studio/funnel/keptDays.ts";
import { shippedQuestionnaires } from "#server/releases/shipped.ts";
import { todayCalls } from "#studio/contract/today.ts";
import { createTestApp, createTestStore, type TestApp, sampledDatabases } from "#test/app.ts";
import { type PaymentBed, paymentBed } from "#test/payments.ts";
import { storeProofs } from "#test/releaseProofs.ts";
import { signInOperator, type StudioClient } from "#test/studio.ts";
import { type Walker, walker } from "#test/traffic.ts";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const minute = 60_000;
const hour = 60 * minute;
const week = 7 * 24 * hour;
/** These screens in every version: level, plan after sign-up, prices, payment form. */
const milestoneScreens = [55, 73, 80, 82] as const;

describe.each(sampledDatabases)("today in the studio (%s)", (database) => {
  let t: TestApp;
  let bed: PaymentBed;
  let viewer: StudioClient;
  let ids = 0;
  beforeEach(async () => {
    const store = await createTestStore(database);
    bed = await paymentBed(store);
    t = await createTestApp({ database, store, parts: { payments: bed.payments, questionnaires: shippedQuestionnaires } });
    bed.clock.now = t.world.now();
    viewer = await signInOperator(t, "viewer");
  });
  afterEach(async () => {
    await bed.close();
    await t.close();
  });
  const newId = () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}`;
  const visitor = () => walker({ device: newId(), startsAt: t.world.now(), newId });
  const send = async ({ device, events }: Walker) => {
    const response = await t.app.inject({
      method: "POST",
      url: "/api/send-event",
      headers: { "x-device-id": device },
      payload: { events, device, sentAt: new Date(Date.parse(events.at(-1)?.at ?? "")).toISOString() },
    });
    expect(response.statusCode, response.body).toBe(202);
  };
  const pass = async (ms: number) => {
    bed.clock.now += ms;
    t.world.pass(ms);
    viewer = await signInOperator(t, "viewer");
  };
  const buy = async (productId: string) => bed.buy(await bed.account(), productId);
  const netOf = async (day: string) => (await viewer.call("money", { from: day, to: day })).total.net;
  const dayNow = () => new Date(t.world.now()).toISOString().slice(0, 10);

  it("counts milestones, money and sales up to this hour, beside the same weekday of earlier weeks", async () => {
    // A day whose first visitor came at noon is not a usual day.
    await send(visitor().shown(2));
    await pass(24 * hour);
    await send(visitor().shown(2).answers(2).shown(55));
    await send(visitor().shown(2));
    await buy("onetime-3m-eur");
    const before = dayNow();
    const netBefore = await netOf(before);
    await pass(2 * hour);
    // Later that day, so not part of the comparison up to this hour.
    await send(visitor().shown(2).answers(2));
    await buy("onetime-3m-eur");
    await pass(week - 2 * hour + 10 * minute);
    await send(milestoneScreens.reduce((walk, screen) => walk.shown(screen), visitor().shown(2).answers(2)));
    await buy("onetime-6m-eur");
    await buy("subscription-3m-eur");
    await pass(minute);
    const today = await viewer.call("today", {});
    expect(today.countedAt).toBe(t.world.now());
    expect(today.onSite).toEqual([{ locale: "es-419", visitors: 1 }]);
    expect(today.funnel.map(({ stage, now, usual }) => [stage, now, usual])).toEqual([
      ["visitors", 1, [2]],
      ["began", 1, [1]],
      ["level", 1, [1]],
      ["signedUp", 1, [0]],
      ["offers", 1, [0]],
      ["checkout", 1, [0]],
      ["purchases", 0, [0]],
    ]);
    expect(today.versions).toEqual([{ version: "76", visitors: 1, purchases: 0 }]);
    expect([today.proceeds.now.at(-1), today.proceeds.usual.map((hours) => hours.at(-1))]).toEqual([await netOf(dayNow()), [netBefore]]);
    expect(today.proceeds).toMatchObject({ currency: "EUR", payments: 2, refunds: 0, ratesDay: null, withoutRate: [] });
    expect(today.sales).toEqual([
      { sale: "trials", now: 1, usual: [0] },
      { sale: "bought", now: 1, usual: [1] },
      { sale: "converted", now: 0, usual: [0] },
      { sale: "renewed", now: 0, usual: [0] },
    ]);
    expect(today.attention).toEqual([]);

    const days = createKeptDays({ store: t.store, world: t.world, log: console, questionnaires: shippedQuestionnaires, least: 1 });
    days.wake();
    await days.running();
    expect((await viewer.call("today", {})).funnel).toEqual(today.funnel);
    // As an older release stored it: by the hour, and with fewer milestones.
    const asOlder = async (change: (slots: Record<string, number[]>) => unknown) =>
      t.store.write(async (queries) => {
        for (const { version, day, hours } of await queries.selectFrom("funnel_days").selectAll().execute()) {
          const { slots } = JSON.parse(hours) as { readonly slots: Record<string, number[]> };
          const older = JSON.stringify(change(slots));
          await queries.updateTable("funnel_days").set({ hours: older }).where("version", "=", version).where("day", "=", day).execute();
        }
      });
    const byHour = (slots: readonly number[]) =>
      Array.from({ length: 24 }, (_, n) => slots.slice(n * 6, n * 6 + 6).reduce((sum, each) => sum + each, 0));
    let hours: Record<string, number[]> = {};
    await asOlder((slots) => (hours = Object.fromEntries(Object.entries(slots).map(([name, all]) => [name, byHour(all)]))));
    expect(hours["visitors"]?.some((visitors) => visitors > 0)).toBe(true);
    expect((await viewer.call("today", {})).funnel).toEqual(today.funnel);
    await t.store.write((queries) =>
      queries.updateTable("funnel_days").set({ hours: '{"visitors":[],"began":[],"purchases":[]}' }).execute(),
    );
    expect((await viewer.call("today", {})).funnel).toEqual(today.funnel);
  });

  it.each(["", "-classic"])("tells a paid trial from a renewal (subscription-3m-mxn%s)", async (suffix) => {
    const { engine, subscriptionId } = await buy(`subscription-3m-mxn${suffix}`);
    const renewed = async () => {
      await pass(Date.parse(engine.getSubscription(subscriptionId).next_billed_at ?? "") - bed.clock.now + 1_000);
      engine.renew(subscriptionId);
      await bed.settled();
      await pass(1_000);
      return (await viewer.call("today", {})).sales.map(({ sale, now }) => [sale, now]);
    };
    const none = [
      ["trials", 0],
      ["bought", 0],
    ];
    expect(await renewed()).toEqual([...none, ["converted", 1], ["renewed", 0]]);
    expect(await renewed()).toEqual([...none, ["converted", 0], ["renewed", 1]]);
  });

  it("names the currencies without a rate", async () => {
    await buy("onetime-3m-mxn");
    await pass(1_000);
    const { proceeds } = await viewer.call("today", {});
    expect(proceeds).toMatchObject({ withoutRate: ["MXN"], payments: 1 });
    expect(proceeds.now.at(-1)).toBe(0);
  });

  it("names the problems that need an operator, each with its screen", async () => {
    await t.store.write((queries) =>
      queries
        .insertInto("alerts")
        .values({
          id: newId(),
          rule: "webhooks-fail",
          says: "2 wait.",
          began_at: t.world.now(),
          ended_at: null,
          seen_by: null,
          seen_at: null,
        })
        .execute(),
    );
    expect((await viewer.call("today", {})).attention).toEqual([
      { title: "Webhooks are not applied", says: "2 wait.", since: t.world.now(), path: "/operations" },
    ]);
  });

  it("names a payment that differs from its order until an operator has settled it", async () => {
    const noted = { payment_provider: "paddle", transaction_id: "1", order_id: "an order", currency: "MXN", total: 5, noted_at: 7 };
    await t.store.write((queries) =>
      queries
        .insertInto("payment_mismatches")
        .values({ ...noted, settled_at: null })
        .execute(),
    );
    expect((await viewer.call("today", {})).attention).toMatchObject([{ title: "One payment differs from its order", path: "/money" }]);
    await t.store.write((queries) => queries.updateTable("payment_mismatches").set({ settled_at: 8 }).execute());
    expect((await viewer.call("today", {})).attention).toEqual([]);
  });

  it("shows the latest changes of weights", async () => {
    await storeProofs(t.store);
    const publisher = await signInOperator(t, "publisher");
    const { current } = await publisher.call("versions", {});
    const after = current.find(({ locale }) => locale === "de-DE")?.number ?? 0;
    t.world.pass(minute);
    await publisher.call("rolloutSet", { locale: "de-DE", weights: { 83: 1 }, after, reason: "86 says less" });
    const { rollouts } = await viewer.call("today", {});
    expect(rollouts[0]).toMatchObject({ locale: "de-DE", weights: { 83: 1 }, reason: "86 says less" });
  });

  it("streams the numbers after each change", async () => {
    await send(visitor().shown(2).answers(2));
    const url = await t.app.listen({ host: "127.0.0.1", port: 0 });
    const leaving = new AbortController();
    const { body } = await fetch(`${url}/studio/api/todayLive`, {
      headers: { "sec-fetch-site": "same-origin", cookie: viewer.cookie },
      signal: leaving.signal,
    });
    const reader = (body ?? new ReadableStream<Uint8Array>()).getReader();
    const decoder = new TextDecoder();
    let unread = "";
    const next = async (): Promise<readonly number[]> => {
      const end = unread.indexOf("\n\n");
      if (end < 0) {
        unread += decoder.decode((await reader.read()).value, { stream: true });
        return next();
      }
      const event = unread.slice(0, end);
      unread = unread.slice(end + 2);
      // A slow stream sends comments meanwhile, so that no proxy closes it.
      if (!event.startsWith("data: ")) return next();
      const { funnel } = v.parse(todayCalls.today.output, JSON.parse(event.slice("data: ".length)));
      return funnel.slice(0, 2).map(({ now }) => now);
    };
    expect(await next()).toEqual([1, 1]);
    await send(visitor().shown(2).answers(2, 1));
    expect(await next()).toEqual([2, 2]);
    leaving.abort();
  });

  it("opens at most ten streams at once for one operator", async () => {
    const url = await t.app.listen({ host: "127.0.0.1", port: 0 });
    const listen = async ({ cookie }: StudioClient) => {
      const leaving = new AbortController();
      const headers = { "sec-fetch-site": "same-origin", cookie };
      const response = await fetch(`${url}/studio/api/todayLive`, { headers, signal: leaving.signal });
      // `fetch` ends the stream of a response that nothing refers to.
      return { response, status: response.status, leave: () => leaving.abort() };
    };
    const open = await Promise.all(Array.from({ length: 10 }, () => listen(viewer)));
    expect(open.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await listen(viewer)).status).toBe(429);
    const other = await listen(await signInOperator(t, "viewer"));
    expect(other.status).toBe(200);
    open[0]?.leave();
    await expect.poll(async () => (await listen(viewer)).status).toBe(200);
    for (const { leave } of [...open, other]) leave();
  });
});
