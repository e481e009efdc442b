import { createConversionStandin, type ConversionStandin } from "#standins/conversions/conversions.ts";
import { createTestStore, createTestWorld, databases, type TestWorld } from "#test/app.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Store } from "../store/store.ts";
import { createConversions } from "./conversions.ts";
import { destinationsOf } from "./destinations.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describe.each(databases)("conversions on %s", (kind) => {
  let store: Store;
  let world: TestWorld;
  let standin: ConversionStandin;
  let receiver: FastifyInstance;
  let url: string;
  beforeEach(async () => {
    store = await createTestStore(kind);
    world = createTestWorld();
    standin = createConversionStandin();
    receiver = Fastify();
    await receiver.register(standin.plugin);
    url = await receiver.listen({ host: "127.0.0.1", port: 0 });
  });
  afterEach(async () => {
    await receiver.close();
    await store.close();
  });
  const error = vi.fn();
  const conversions = (base = url, send: typeof fetch = fetch) =>
    createConversions({
      store,
      world,
      fetch: send,
      log: { error },
      destinations: destinationsOf(
        { meta: { pixelId: "1", token: "t", url: `${base}/meta` }, tiktok: { pixelId: "2", token: "t", url: `${base}/tiktok` } },
        "https://parlando.example",
      ),
    });

  async function buyer(country: string | null) {
    const account = world.uuid();
    const device = world.uuid();
    await store.write(async (queries) => {
      const times = { created_at: world.now(), updated_at: world.now() };
      await queries
        .insertInto("accounts")
        .values({
          uuid: account,
          email: `${account}@example.com`,
          email_confirmed_at: null,
          password_hash: null,
          firstname: null,
          locale: "es-419",
          questionnaire_version: "76",
          app_version: "v5.7.8",
          marketing_consent: null,
          ...times,
        })
        .execute();
      await queries.insertInto("event_devices").values({ device_id: device, visitor: account, sequence: 1 }).execute();
      await queries
        .insertInto("journeys")
        .values({
          device_id: device,
          version: "76",
          started_at: world.now(),
          last_at: world.now(),
          locale: null,
          country,
          platform: null,
          campaign: null,
          steps: "[[],0,0,[],null]",
        })
        .execute();
    });
    const choose = (marketing: boolean) => {
      world.pass(1);
      return store.write((queries) =>
        queries
          .insertInto("consent_records")
          .values({
            id: world.uuid(),
            device_id: device,
            account_uuid: null,
            chosen_at: world.now(),
            received_at: world.now(),
            text_version: "2026-11-20",
            functional: 0,
            analytics: 0,
            marketing: marketing ? 1 : 0,
            source: "banner",
            country,
          })
          .execute(),
      );
    };
    const pays = async (paid: { readonly currency: string; readonly price: number } = { currency: "EUR", price: 4990 }) => {
      world.pass(1);
      const id = world.uuid();
      await store.write((queries) =>
        queries
          .insertInto("orders")
          .values({
            id,
            account_uuid: account,
            product_id: "3M-subscription-EUR",
            product_type: "subscription",
            product_plan: "3M",
            trial_days: 0,
            price_id: "p",
            quantity: 1,
            ...paid,
            coupon_code: null,
            payment_provider: "paddlebilling",
            status: "completed",
            transaction_id: id,
            hosted_url: null,
            subscription_id: null,
            created_at: world.now(),
            updated_at: world.now(),
            checked_at: null,
          })
          .execute(),
      );
      return id;
    };
    return { account, choose, pays };
  }
  const statuses = async () => [
    ...new Set((await store.read.selectFrom("conversions").select("status").execute()).map(({ status }) => status)),
  ];

  it("go out once per order and network, with the browser's event id and hashed personal data", async () => {
    const { account, choose, pays } = await buyer("DE");
    await choose(true);
    const order = await pays();
    expect(await conversions().run()).toBe(2);
    expect(await conversions().run()).toBe(0);
    expect([...standin.taken.keys()].toSorted()).toEqual([`meta purchase:${order}`, `tiktok purchase:${order}`]);
    expect(standin.taken.get(`meta purchase:${order}`)).toMatchObject({
      event_name: "Purchase",
      custom_data: { currency: "EUR", value: 49.9, order_id: order },
    });
    expect(JSON.stringify([...standin.taken.values()])).not.toMatch(new RegExp(`${account}|@example`));
  });

  it("go out once from two processes at the same time", async () => {
    const { choose, pays } = await buyer("DE");
    await choose(true);
    for (let n = 0; n < 30; n++) await pays();
    const send = vi.fn<typeof fetch>((...request) => fetch(...request));
    const taken = await Promise.all([conversions(url, send).run(), conversions(url, send).run()]);
    expect([taken[0] + taken[1], send.mock.calls.length, standin.taken.size]).toEqual([60, 60, 60]);
  });

  it("that a process was killed while sending go out again under the same id when its claim has expired", async () => {
    const { choose, pays } = await buyer("DE");
    await choose(true);
    const order = await pays();
    const begun = Promise.withResolvers<void>();
    const dead = Promise.withResolvers<void>();
    const killed = conversions(url, async (...request) => {
      const response = await fetch(...request);
      begun.resolve();
      await dead.promise;
      return response;
    }).run();
    await begun.promise;
    expect(await conversions().run()).toBe(1);
    world.pass(minute);
    expect(await conversions().run()).toBe(1);
    expect([...standin.taken.keys()].toSorted()).toEqual([`meta purchase:${order}`, `tiktok purchase:${order}`]);
    dead.resolve();
    await killed;
    expect(await statuses()).toEqual(["sent"]);
  });

  it("name the amount in the currency's whole units: Chile's pesos have no cents", async () => {
    const { pays } = await buyer("CL");
    const order = await pays({ currency: "CLP", price: 35_970 });
    await conversions().run();
    expect(standin.taken.get(`meta purchase:${order}`)).toMatchObject({ custom_data: { currency: "CLP", value: 35_970 } });
    expect(standin.taken.get(`tiktok purchase:${order}`)).toMatchObject({ properties: { currency: "CLP", value: 35_970 } });
  });

  it.each([
    ["DE", null, "withheld"],
    ["DE", false, "withheld"],
    [null, null, "withheld"],
    ["MX", null, "sent"],
    ["MX", false, "withheld"],
  ] as const)("from %s with the choice %s are %s", async (country, marketing, status) => {
    const { choose, pays } = await buyer(country);
    if (marketing !== null) await choose(marketing);
    await pays();
    await conversions().run();
    expect([await statuses(), standin.taken.size]).toEqual([[status], status === "sent" ? 2 : 0]);
  });

  it("need consent at the checkout: later consent does not count", async () => {
    const { choose, pays } = await buyer("DE");
    await pays();
    await choose(true);
    await conversions().run();
    expect([await statuses(), standin.taken.size]).toEqual([["withheld"], 0]);
  });

  it("stop when consent is withdrawn before they are sent", async () => {
    const { choose, pays } = await buyer("DE");
    await choose(true);
    await pays();
    standin.status = 500;
    await conversions().run();
    await choose(false);
    standin.status = 200;
    world.pass(day);
    await conversions().run();
    expect([await statuses(), standin.taken.size]).toEqual([["withheld"], 0]);
  });

  it("wait no longer than they should after the clock was set back a day", async () => {
    const { choose, pays } = await buyer("DE");
    await choose(true);
    await pays();
    await conversions("http://127.0.0.1:1").run();
    for (let tries = 1; tries < 4; tries++) {
      world.pass(-day);
      await choose(true);
      await conversions("http://127.0.0.1:1").run();
      const rows = await store.read.selectFrom("conversions").select(["attempts", "next_attempt_at"]).execute();
      const waiting = { attempts: tries + 1, next_attempt_at: world.now() + 2 ** tries * minute };
      expect(rows).toEqual([waiting, waiting]);
    }
  });

  it("stop when consent was withdrawn before the clock was set back", async () => {
    const { choose, pays } = await buyer("DE");
    await choose(true);
    await pays();
    standin.status = 500;
    await conversions().run();
    world.pass(2 * day);
    await choose(false);
    standin.status = 200;
    world.pass(-day);
    await conversions().run();
    expect([await statuses(), standin.taken.size]).toEqual([["withheld"], 0]);
  });

  it("are retried at growing intervals while a receiver is down, and not after seven days", async () => {
    const { choose, pays } = await buyer("DE");
    await choose(true);
    await pays();
    standin.status = 500;
    await conversions().run();
    expect(await conversions().run()).toBe(0);
    standin.status = 200;
    world.pass(minute);
    expect(await conversions().run()).toBe(2);
    await pays();
    await conversions("http://127.0.0.1:1").run();
    world.pass(8 * day);
    await conversions().run();
    expect(await statuses()).toEqual(["sent", "too late"]);
  });

  it("that a receiver refuses are logged and not sent again", async () => {
    const { choose, pays } = await buyer("DE");
    await choose(true);
    await pays();
    standin.status = 400;
    await conversions().run();
    standin.status = 200;
    world.pass(day);
    expect([await conversions().run(), await statuses(), error.mock.calls.length]).toEqual([0, ["refused"], 2]);
  });

  it.runIf(kind === "sqlite")("new purchases are found by their time, however many orders there are", async () => {
    const watched = watchStatements();
    await conversions().run();
    const looking = watched.seen.find(({ sql: text }) => /from "orders".*"conversions"/.test(text))?.sql ?? "";
    const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${looking}`)}`.execute(store.read);
    expect(plan.rows[0]?.detail).toMatch(/orders_by_status \(status=\? AND created_at>\?\)/);
  });
});
