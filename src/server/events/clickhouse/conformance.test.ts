/** The studio and the report show the same numbers for the same traffic, whether journeys are counted in the database or in ClickHouse. */
import { createTestApp, createTestStore, databases, type DatabaseKind, type TestApp, type Person } from "#test/app.ts";
import { storeCampaigns } from "#test/campaigns.ts";
import { long, sampled } from "#test/sampled.ts";
import { hasClickHouse, type RunningClickHouse, startClickHouse } from "#test/clickhouse.ts";
import { completedOrder } from "#test/orders.ts";
import { signInOperator } from "#test/studio.ts";
import { walker } from "#test/traffic.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRetention } from "../../accounts/retention.ts";
import { shippedQuestionnaires } from "../../releases/shipped.ts";
import { countedIn, type Store } from "../../store/store.ts";
import { createKeptDays } from "../../studio/funnel/keptDays.ts";
import { mostCombinations } from "../journeys.ts";
import { versionReports } from "../report.ts";
import { openClickHouse } from "./client.ts";
import { createJourneyCopy } from "./copy.ts";
import { countedWhereBest } from "./reading.ts";
import { tableOf } from "./table.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const fails = {
  info: () => undefined,
  error: (details: object) => {
    throw new Error("It failed", { cause: details });
  },
};

/** A random generator with the same numbers in each run: Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Bed {
  readonly test: TestApp;
  /** Chooses where the studio counts from now on. */
  readonly countIn: (place: "database" | "ClickHouse") => void;
  readonly copy: () => Promise<void>;
  readonly url: string;
}

async function bedOn(kind: DatabaseKind, clickhouse: RunningClickHouse): Promise<Bed> {
  const url = await clickhouse.newDatabase();
  const plain = await createTestStore(kind);
  const copied = countedIn(url, plain);
  let { place } = plain;
  const store: Store = {
    ...plain,
    get place() {
      return place;
    },
  };
  const test = await createTestApp({ database: kind, store });
  return {
    test,
    url,
    countIn: (where) => void ({ place } = where === "database" ? plain : copied),
    copy: async () => {
      const journeys = createJourneyCopy({ store: plain, world: test.world, log: fails, url });
      journeys.wake();
      await journeys.running();
    },
  };
}

const versions = ["76", "78", "83"] as const;
const releases = [undefined, "00000000000a", "00000000000b"] as const;
const campaigns = [undefined, "spring", "it's 50 % \\ off"] as const;

/** Makes up a few days of visitors: complete and broken-off walks, steps back, several devices, late batches, purchases, consent choices. */
async function invent({ test }: Bed, seed: number, visitors: number): Promise<{ readonly changeMinds: () => Promise<void> }> {
  const random = randomFrom(seed);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] ?? (all[0] as T);
  let ids = 0;
  const newId = () => `0000${seed}000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}`;
  const accounts: Person[] = [];
  const devices: string[] = [];
  const late: (() => Promise<void>)[] = [];
  const post = async (url: string, device: string, payload: object, account?: Person) => {
    const session = account === undefined ? {} : { authorization: `Bearer ${(await test.logIn(account)).token}` };
    const headers = { "x-device-id": device, ...session };
    const remoteAddress = `10.${seed}.${(ids >> 8) & 255}.${ids & 255}`;
    const response = await test.app.inject({ method: "POST", url, remoteAddress, headers, payload });
    expect(response.statusCode, response.body).toBeLessThan(300);
  };
  const choose = (device: string, analytics: boolean) =>
    post("/api/consent", device, {
      id: newId(),
      at: new Date(test.world.now()).toISOString(),
      textVersion: "2026-11-20",
      categories: { functional: false, analytics, marketing: false },
      source: "banner",
    });
  async function visit(): Promise<void> {
    const account = random() < 0.4 && accounts.length > 2 ? oneOf(accounts) : undefined;
    const device = newId();
    const changed = {
      locale: oneOf(["de-DE", "es-419", "pt-BR"]),
      country: oneOf(["DE", "MX", "BR"]),
      platform: oneOf(["android", "apple", "other"]),
      ...(random() < 0.7 ? { campaignId: oneOf(campaigns) } : {}),
      ...(random() < 0.7 ? { release: oneOf(releases) } : {}),
    };
    for (const version of random() < 0.2 ? [oneOf(versions), oneOf(versions)] : [oneOf(versions)]) {
      const startsAt = test.world.now() - Math.floor(random() * 40) * minute;
      let walk = walker({ device, version, startsAt, newId, ...(account === undefined ? {} : { uuid: account.uuid }) });
      for (let step = 0; step < random() * 9; step += 1) {
        const question = oneOf([2, 3, 4, 5, 12]);
        walk = random() < 0.5 ? walk.shown(question) : walk.answers(question, oneOf([1, 2, 3]));
      }
      const events = walk.events.map((event) => ({
        ...event,
        at: new Date(Date.parse(event.at) + Math.floor(random() * 90_000)).toISOString(),
        payload: { ...event.payload, ...changed },
      }));
      if (events.length === 0) continue;
      const send = async (some: typeof events) =>
        some.length > 0 &&
        post("/api/send-event", device, { events: some, device, sentAt: new Date(test.world.now()).toISOString() }, account);
      const [now, then] = random() < 0.3 ? [events.slice(2), events.slice(0, 2)] : [events, []];
      await send(now);
      if (then.length > 0) late.push(async () => void (await send(then)));
    }
    if (random() < 0.5) await choose(device, random() < 0.7);
    devices.push(device);
  }
  for (let n = 0; n < visitors; n += 1) {
    if (random() < 0.15) accounts.push(await test.signUp());
    await visit();
    if (random() < 0.2 && accounts.length > 0) await buy(test.store, oneOf(accounts).uuid, test.world.now(), newId());
    test.world.pass(Math.floor(random() * 3 * hour));
    if (random() < 0.2) await late.shift()?.();
  }
  for (const send of late) await send();
  return {
    /** Changes only consent choices and purchases, and takes one purchase back. */
    changeMinds: async () => {
      test.world.pass(minute);
      for (const [n, device] of devices.entries()) if (n % 3 > 0) await choose(device, n % 3 === 1);
      await test.store.write((queries) =>
        queries.updateTable("orders").set({ status: "refunded" }).where("status", "=", "completed").execute(),
      );
      for (const { uuid } of accounts.slice(1)) await buy(test.store, uuid, test.world.now(), newId());
    },
  };
}

const buy = (store: Store, account: string, at: number, id: string) =>
  store.write((queries) =>
    queries
      .insertInto("orders")
      .values(completedOrder(id, account, at))
      .execute(),
  );

const filters = [
  {},
  { locale: "de-DE" },
  { locale: "de-DE,pt-BR", platform: "android" },
  { country: "MX", platform: "apple,other" },
  { campaign: "-" },
  { campaign: "it's 50 % \\ off" },
  { campaign: "nobody's" },
  { release: "00000000000a" },
  { release: "-" },
  { came: "new" },
  { came: "returning" },
  { consent: "yes" },
  { consent: "no,-" },
] as const;

/** All counts of journeys, as the studio and the report show them. */
async function everything({ test, url }: Bed, place: "database" | "ClickHouse") {
  const client = await signInOperator(test, "support");
  const now = test.world.now();
  const days = [0, 1, 2].map((ago) => new Date(now - ago * day).toISOString().slice(0, 10));
  const spans = [{}, { from: days[1] }, { to: days[1] }, { from: days[2], to: days[1] }];
  const told: Record<string, unknown> = {};
  for (const version of versions)
    for (const [n, filter] of (version === "76" ? sampled(filters, 6) : sampled(filters, 1)).entries())
      for (const span of long ? spans : n === 0 ? spans.slice(1, 3) : [{}]) {
        const asked = { version, ...filter, ...span };
        const { here } = await client.call("funnelSteps", asked);
        const screen = await client.call("funnelScreen", { ...asked, questionId: "3" });
        const visits = await client.call("funnelVisits", { ...asked, questionId: "2" });
        told[JSON.stringify(asked)] = {
          here,
          screen: {
            ...screen,
            countedAt: 0,
            leftBy: screen.leftBy.toSorted((a, b) => `${a.value}${a.words}`.localeCompare(`${b.value}${b.words}`, "en")),
          },
          visits: { ...visits, countedAt: 0, visits: visits.visits.toSorted((a, b) => a.visit.localeCompare(b.visit, "en")) },
        };
      }
  const found = await client.call("funnelFilters", {});
  told["filters"] = Object.fromEntries(
    Object.entries(found).map(([name, values]) => [
      name,
      Array.isArray(values) ? values.map((value) => JSON.stringify(value)).toSorted() : values,
    ]),
  );
  const { funnel, versions: today } = await client.call("today", {});
  told["today"] = { funnel, versions: today.toSorted((a, b) => a.version.localeCompare(b.version, "en")) };
  told["report"] = await countedWhereBest({ queries: test.store.read, url: place === "database" ? null : url }, (reading) =>
    versionReports(reading, { now }),
  );
  return told;
}

describe.skipIf(!hasClickHouse).each(databases)("numbers from ClickHouse are those of the database (%s)", (kind) => {
  let clickhouse: RunningClickHouse;
  beforeAll(async () => {
    clickhouse = await startClickHouse();
  });
  afterAll(() => clickhouse.remove());

  async function bothSay(bed: Bed) {
    bed.countIn("database");
    const before = await everything(bed, "database");
    await bed.copy();
    expect(await bed.test.store.read.selectFrom("journey_changes").selectAll().execute()).toEqual([]);
    bed.countIn("ClickHouse");
    expect(await everything(bed, "ClickHouse")).toEqual(before);
    return before;
  }

  it("for every count and filter, from the first copy on and after each kind of change", async () => {
    const bed = await bedOn(kind, clickhouse);
    const { test } = bed;
    try {
      // The first copy reads some of them; triggers record the others.
      const { changeMinds } = await invent(bed, 1, 30);
      if (long) await bothSay(bed);
      else await bed.copy();
      await changeMinds();
      await invent(bed, 2, 30);
      // Erases two visitors.
      const uuid = test.world.uuid();
      for (const device of ["a", "b"])
        await test.call("sendEvent", {
          body: {
            id: `20000000-0000-4000-8000-00000000000${device}`,
            eventType: "QuestionnaireQuestionShown",
            at: new Date(test.world.now()).toISOString(),
            payload: { questionnaire: "76", questionId: 2, uuid },
          },
          headers: { "x-device-id": `30000000-0000-4000-8000-00000000000${device}` },
        });
      const person = await test.signUp({ uuid });
      await buy(test.store, person.uuid, test.world.now(), "order-of-erased");
      const before = await bothSay(bed);
      const { token } = await test.logIn(person);
      await test.call("accountErase", { token, body: { password: person.password } });
      await test.erased();
      if (long) await bothSay(bed);
      // Retention deletes old journeys.
      test.world.pass(757 * day);
      await createRetention({ store: test.store, world: test.world, log: fails }).run();
      const after = await bothSay(bed);
      expect(after["filters"]).not.toEqual(before["filters"]);
    } finally {
      await test.close();
    }
  });

  it.runIf(long || kind === "postgres")("also for stored days and hours, which are counted there", async () => {
    const bed = await bedOn(kind, clickhouse);
    const { test } = bed;
    const keep = async () => {
      await test.store.write(async (queries) => {
        await queries.deleteFrom("funnel_day_counts").execute();
        await queries.deleteFrom("funnel_days").execute();
        await queries.deleteFrom("funnel_hours").execute();
      });
      const days = createKeptDays({ store: test.store, world: test.world, log: fails, questionnaires: shippedQuestionnaires, least: 1 });
      days.wake();
      await days.running();
      const hours = await test.store.read
        .selectFrom("funnel_hours")
        .select(["version", "hour", "milestones"])
        .orderBy("version")
        .orderBy("hour")
        .execute();
      expect(hours).not.toEqual([]);
      return hours;
    };
    try {
      await invent(bed, 3, 40);
      await bed.copy();
      bed.countIn("database");
      const hours = await keep();
      const before = await everything(bed, "database");
      bed.countIn("ClickHouse");
      expect(await keep()).toEqual(hours);
      expect(await everything(bed, "ClickHouse")).toEqual(before);
    } finally {
      await test.close();
    }
  });

  it("tell as few combinations of made-up campaigns apart", async () => {
    const bed = await bedOn(kind, clickhouse);
    const { test } = bed;
    try {
      await storeCampaigns(test.store, test.world.uuid, test.world.now(), mostCombinations + 50);
      test.world.pass(day);
      await bed.copy();
      const filters = async (place: "database" | "ClickHouse") => {
        bed.countIn(place);
        const { versions, campaign, country } = await (await signInOperator(test, "viewer")).call("funnelFilters", {});
        return [versions, campaign.find(({ value }) => value === "spring"), country];
      };
      expect(await filters("ClickHouse")).toEqual(await filters("database"));
      const stored = async (place: "database" | "ClickHouse") => {
        bed.countIn(place);
        await test.store.write((queries) => queries.deleteFrom("funnel_days").execute());
        const days = createKeptDays({ store: test.store, world: test.world, log: fails, questionnaires: shippedQuestionnaires, least: 1 });
        days.wake();
        await days.running();
        const counts = await test.store.read
          .selectFrom("funnel_day_counts")
          .select(["country", "visitors"])
          .where("whole", "=", 0)
          .where("visitors", ">", 1)
          .orderBy("visitors")
          .execute();
        const all = await test.store.read.selectFrom("funnel_day_counts").select("whole").where("whole", "=", 0).execute();
        return [all.length, ...counts];
      };
      const inDatabase = await stored("database");
      expect(inDatabase).toEqual([mostCombinations + 1, { country: "DE", visitors: 20 }, { country: "", visitors: 51 }]);
      expect(await stored("ClickHouse")).toEqual(inDatabase);
    } finally {
      await test.close();
    }
  });

  it.runIf(long || kind === "postgres")("and are read there, not in the database", async () => {
    const bed = await bedOn(kind, clickhouse);
    const { test } = bed;
    try {
      await invent(bed, 4, 20);
      await bed.copy();
      bed.countIn("ClickHouse");
      const copy = await test.store.read.selectFrom("journey_copy").select("copy_name").executeTakeFirstOrThrow();
      const emptied = `ALTER TABLE ${tableOf(copy.copy_name)} DELETE WHERE version != '' SETTINGS mutations_sync = 2`;
      await openClickHouse(bed.url).run(emptied);
      const client = await signInOperator(test, "viewer");
      for (const version of versions) expect((await client.call("funnelSteps", { version })).here.visitors).toBe(0);
      bed.countIn("database");
      expect((await client.call("funnelSteps", { version: "76" })).here.visitors).toBeGreaterThan(0);
    } finally {
      await test.close();
    }
  });
});
