/** Stored days of the funnel give the same numbers as their journeys, through the calls of visitors and the studio. */
import { createTestApp, sampledDatabases, type TestApp } from "#test/app.ts";
import { storeCampaigns } from "#test/campaigns.ts";
import { signInOperator } from "#test/studio.ts";
import { type Walker, walker } from "#test/traffic.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shippedQuestionnaires } from "#server/releases/shipped.ts";
import { mostCombinations } from "#server/events/journeys.ts";
import { createKeptDays } from "./keptDays.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe.each(sampledDatabases)("stored days (%s)", (database) => {
  const isSampled = sampledDatabases.includes(database);
  let test: TestApp;
  let ids: number;
  const failures: unknown[] = [];
  const log = { error: (...what: readonly unknown[]) => void failures.push(what) };
  beforeEach(async () => {
    ids = 0;
    failures.splice(0);
    test = await createTestApp({ database });
  });
  afterEach(async () => {
    expect(failures).toEqual([]);
    await test.close();
  });

  /** Signs in anew for each call: days pass in these tests, and sessions end. */
  const operator = () => signInOperator(test, "support");
  const newId = () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}`;
  const visitor = (uuid?: string) =>
    walker({ device: newId(), startsAt: test.world.now(), newId, ...(uuid === undefined ? {} : { uuid }) });
  const send = async ({ device, events }: Walker, changed: Readonly<Record<string, string>> = {}) => {
    const response = await test.app.inject({
      method: "POST",
      url: "/api/send-event",
      remoteAddress: `10.0.${(ids >> 8) & 255}.${ids & 255}`,
      headers: { "x-device-id": device },
      payload: {
        events: events.map((event) => ({ ...event, payload: { ...event.payload, ...changed } })),
        device,
        sentAt: new Date(Math.max(test.world.now(), Date.parse(events.at(-1)?.at ?? ""))).toISOString(),
      },
    });
    expect(response.statusCode, response.body).toBe(202);
  };
  const keepDays = async (least = 1) => {
    const days = createKeptDays({ store: test.store, world: test.world, log, questionnaires: shippedQuestionnaires, least });
    days.wake();
    await days.running();
  };
  const kept = () =>
    test.store.read.selectFrom("funnel_days").select(["day", "edition", "touched_at"]).where("edition", ">", 0).orderBy("day").execute();
  const inDe = { locale: "de-DE", country: "DE", platform: "apple" };
  const newer = { release: "00000000000b" };

  /** Three days with visitors who leave, go on, use two devices, or come back. */
  async function threeDays() {
    const account = "11111111-1111-4111-8111-000000000001";
    await send(visitor().shown(2).answers(2, 1).shown(3).answers(3, 2).shown(4));
    await send(visitor().shown(2).answers(2, 2).shown(3), { ...inDe, release: "00000000000a" });
    await send(visitor(account).shown(2).answers(2, 1).shown(3));
    test.world.pass(5 * hour);
    await send(visitor().shown(2), { ...inDe, ...newer });
    test.world.pass(day);
    await send(visitor(account).shown(3).answers(3, 1).shown(4));
    await send(visitor().shown(2).answers(2, 3).answers(2, 2).shown(3), { platform: "other" });
    test.world.pass(day);
    await send(visitor().shown(2).answers(2, 1).shown(3), inDe);
    test.world.pass(minute);
  }

  /** Everything that the studio shows of version 76, without the time of the count. */
  async function everything() {
    const of = { version: "76" };
    const client = await operator();
    const filters = [
      {},
      { locale: "de-DE" },
      { country: "MX", platform: "android" },
      { consent: "-" },
      { came: "returning" },
      newer,
      { release: "-" },
    ] as const;
    const firstDay = { to: new Date(test.world.now() - 2 * day).toISOString().slice(0, 10) };
    const numbers = [];
    for (const filter of [...filters, firstDay, { ...firstDay, ...filters[1] }]) {
      const { here } = await client.call("funnelSteps", { ...of, ...filter });
      const screen = await client.call("funnelScreen", { ...of, ...filter, questionId: "2" });
      const visits = await client.call("funnelVisits", { ...of, ...filter, questionId: "3" });
      numbers.push({
        ...here,
        steps: here.steps.map(({ medianSeconds, ...step }) => ({ ...step, timed: medianSeconds !== null })),
        screen: {
          ...screen,
          countedAt: 0,
          medianSeconds: screen.medianSeconds !== null,
          leftBy: screen.leftBy.toSorted((a, b) => `${a.value}${a.words}`.localeCompare(`${b.value}${b.words}`, "en")),
        },
        visits: { ...visits, countedAt: 0, since: null },
      });
    }
    // A visitor on two devices counts twice in journeys and once in stored days, so only the values are compared.
    const { release, locale, country, platform, campaign, firstDay: first } = await client.call("funnelFilters", {});
    const values = [release, locale, country, platform, campaign].map((all) => all.map(({ value }) => value).toSorted());
    // Under this filter, journeys count visitors too.
    const facets = [];
    for (const filter of [{ came: "new" }, { came: "new", country: "DE" }, { came: "new", ...firstDay }]) {
      const { versions, locale: locales, country: countries } = await client.call("funnelFilters", { ...of, ...filter });
      facets.push([versions, ...[locales, countries].map((all) => all.toSorted((a, b) => a.value.localeCompare(b.value, "en")))]);
    }
    const { funnel } = await client.call("today", {});
    return { numbers, values, facets, first, funnel };
  }

  it.runIf(isSampled)("give the same numbers as their journeys, under every filter", async () => {
    await threeDays();
    const before = await everything();
    await keepDays();
    expect((await kept()).map(({ day: at }) => new Date(at).toISOString().slice(0, 10))).toEqual(["2026-11-20", "2026-11-21"]);
    expect(await everything()).toEqual(before);
  });

  it("tell the most frequent combinations of traits apart, so that the campaigns that a stranger makes up fill neither memory nor database", async () => {
    const visits = await storeCampaigns(test.store, newId, test.world.now(), mostCombinations + 100);
    test.world.pass(day);
    const shown = async () => {
      const client = await operator();
      const { versions, campaign } = await client.call("funnelFilters", {});
      const [all, spring] = [
        await client.call("funnelSteps", { version: "76" }),
        await client.call("funnelSteps", { version: "76", campaign: "spring" }),
      ];
      return [versions[0]?.visitors, campaign.find(({ value }) => value === "spring")?.visitors, all.here.visitors, spring.here.visitors];
    };
    const numbers = [visits, 20, visits, 20];
    expect(await shown()).toEqual(numbers);
    await keepDays();
    expect(await shown()).toEqual(numbers);
    const stored = await test.store.read.selectFrom("funnel_day_counts").select("visitors").where("whole", "=", 0).execute();
    expect([stored.length, Math.max(...stored.map(({ visitors }) => Number(visitors)))]).toEqual([mostCombinations + 1, 101]);
  });

  it("are read instead of the journeys", async () => {
    await threeDays();
    await keepDays();
    const before = await everything();
    const midnight = test.world.now() - (test.world.now() % day);
    await test.store.write((queries) =>
      queries
        .deleteFrom("journeys")
        .where("started_at", "<", midnight - day)
        .execute(),
    );
    const { here } = await (await operator()).call("funnelSteps", { version: "76" });
    expect(here.visitors).toBe(before.numbers[0]?.visitors);
  });

  it("place the median within its bin", async () => {
    for (let n = 0; n < 5; n += 1) await send(visitor().shown(2).answers(2));
    test.world.pass(day);
    const medianOf = async () => (await (await operator()).call("funnelSteps", { version: "76" })).here.steps[0]?.medianSeconds;
    expect(await medianOf()).toBe(1);
    await keepDays();
    expect(await medianOf()).toBeCloseTo(1.25);
  });

  it("are not stored while they have few visitors, nor before they are over", async () => {
    await threeDays();
    await keepDays(100);
    expect(await kept()).toEqual([]);
    expect((await (await operator()).call("funnelSteps", { version: "76" })).here.visitors).toBe(6);
  });

  it("begin no earlier than events are kept, whatever a device says about its clock or the database holds", async () => {
    const old = { ...visitor().shown(2) };
    const response = await test.app.inject({
      method: "POST",
      url: "/api/send-event",
      payload: {
        events: old.events.map((event) => ({ ...event, at: "0000-01-01T00:00:00Z" })),
        device: old.device,
        sentAt: "9999-12-31T00:00:00Z",
      },
    });
    expect(response.statusCode, response.body).toBe(202);
    await keepDays();
    const counted = () => test.store.read.selectFrom("funnel_days").select("day").orderBy("day").execute();
    expect(await counted()).toEqual([]);
    const { firstDay } = await (await operator()).call("funnelFilters", {});
    expect(firstDay).toBe("2026-11-20");
    const [today, earliest] = [Date.parse("2026-11-20"), Date.parse("2024-10-21")];
    await test.store.write(async (queries) => {
      await queries
        .updateTable("journeys")
        .set({ started_at: today - 800 * day })
        .execute();
      // Marks all days but the earliest as just counted.
      const known = { version: "76", edition: 0, counted_at: test.world.now(), touched_at: null, hours: "{}" };
      for (let at = earliest + day; at < today; at += day)
        await queries
          .insertInto("funnel_days")
          .values({ ...known, day: at })
          .execute();
    });
    await keepDays();
    expect((await counted())[0]).toEqual({ day: earliest });
  });

  it("that change later are marked and counted again after ten minutes", async () => {
    const late = visitor().shown(2);
    await send(late);
    test.world.pass(day);
    await keepDays();
    const steps = async () => {
      const { here } = await (await operator()).call("funnelSteps", { version: "76" });
      return [here.changedDays, ...here.steps.map(({ questionId, entered, left }) => [questionId, entered, left])];
    };
    expect(await steps()).toEqual([0, [2, 1, 1]]);
    await send(late.answers(2).shown(3));
    expect(await steps()).toEqual([1, [2, 1, 1]]);
    await keepDays();
    expect(await steps()).toEqual([1, [2, 1, 1]]);
    test.world.pass(11 * minute);
    await keepDays();
    expect(await steps()).toEqual([0, [2, 1, 0], [3, 1, 1]]);
    // Without a change, nothing is counted before the next day.
    const editions = (await kept()).map(({ edition }) => edition);
    test.world.pass(hour);
    await keepDays();
    expect((await kept()).map(({ edition }) => edition)).toEqual(editions);
    test.world.pass(day);
    await keepDays();
    expect((await kept())[0]?.edition).toBe((editions[0] ?? 0) + 1);
  });

  it("that change after more than a month are counted again a day later, however often a stranger changes them", async () => {
    const late = visitor().shown(2);
    await send(late);
    test.world.pass(40 * day);
    await keepDays();
    await send(late.answers(2).shown(3));
    const [first] = await kept();
    for (let n = 0; n < 3; n += 1) {
      await send({ ...visitor().shown(2), events: late.events.map((event) => ({ ...event, id: newId() })) });
      test.world.pass(11 * minute);
      await keepDays();
    }
    const [same] = await kept();
    expect([same?.edition, same?.touched_at !== null]).toEqual([first?.edition, true]);
    test.world.pass(day);
    await keepDays();
    expect(await kept()).toEqual([{ ...first, edition: (first?.edition ?? 0) + 1, touched_at: null }]);
  });

  it("with a visitor who is still there are counted again when that visitor has left", async () => {
    test.world.pass(12 * hour - 10 * minute - (test.world.now() % (12 * hour)));
    const comes = visitor().shown(2);
    await send(comes);
    test.world.pass(45 * minute);
    const stays = walker({ device: comes.device, startsAt: test.world.now(), newId }).answers(2).shown(3);
    await send({ ...stays, events: stays.events.map((event) => ({ ...event, sequence: (event.sequence ?? 0) + 1 })) });
    await keepDays();
    const steps = async () =>
      (await (await operator()).call("funnelSteps", { version: "76" })).here.steps.map(({ left, stillThere }) => [left, stillThere]);
    expect(await steps()).toEqual([
      [0, 0],
      [0, 1],
    ]);
    test.world.pass(31 * minute);
    await keepDays();
    expect(await steps()).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });

  it("with very many visitors are searched hour by hour, and list the same visits", async () => {
    test.world.pass(day - (test.world.now() % day));
    const walks = [0, 13 * hour, 10 * hour].map((later) => {
      test.world.pass(later);
      return visitor().shown(2).answers(2).shown(3);
    });
    test.world.pass(minute);
    for (const { device, ...walk } of walks) {
      await send({ device, ...walk });
      const at = test.world.now();
      const choice = { text_version: "2026-11-20", functional: 0, analytics: 1, marketing: 0, source: "banner", country: null };
      await test.store.write((queries) =>
        queries
          .insertInto("consent_records")
          .values({ id: newId(), device_id: device, account_uuid: null, chosen_at: at, received_at: at, ...choice })
          .execute(),
      );
    }
    test.world.pass(2 * day);
    await keepDays();
    const visits = async () => (await operator()).call("funnelVisits", { version: "76", questionId: "3" });
    const before = await visits();
    expect(before.visits.map(({ visit }) => visit)).toEqual(walks.map(({ device }) => device).toReversed());
    await test.store.write((queries) => queries.updateTable("funnel_days").set({ hours: '{"slots":{"visitors":[5000]}}' }).execute());
    expect(await visits()).toEqual(before);
  });

  it("are counted soon after a round that failed", async () => {
    await threeDays();
    let isAway = true;
    const store: typeof test.store = {
      ...test.store,
      read: test.store.read,
      write: (work) => {
        if (!isAway) return test.store.write(work);
        isAway = false;
        return Promise.reject(new Error("away"));
      },
    };
    const days = createKeptDays({ store, world: test.world, log, questionnaires: shippedQuestionnaires, least: 1, retryMs: 1 });
    days.start();
    await expect.poll(kept).toHaveLength(2);
    await days.stop();
    expect(failures.splice(0)).toHaveLength(1);
  });

  it("are counted by one of several processes, and half a count is never read", async () => {
    await threeDays();
    const before = await everything();
    // The rows of a process that was killed while counting the next edition.
    await keepDays();
    const [row] = await test.store.read.selectFrom("funnel_day_counts").selectAll().where("whole", "=", 1).execute();
    if (row === undefined) throw new Error("nothing was kept");
    const half = { ...row, edition: row.edition + 1 };
    await test.store.write((queries) => queries.insertInto("funnel_day_counts").values(half).execute());
    expect(await everything()).toEqual(before);
    test.world.pass(day + minute);
    await Promise.all([keepDays(), keepDays(), keepDays()]);
    const editions = await test.store.read.selectFrom("funnel_day_counts").select(["day", "edition"]).distinct().orderBy("day").execute();
    expect(editions).toEqual((await kept()).map(({ day: at, edition }) => ({ day: at, edition })));
    expect(await test.store.read.selectFrom("task_leases").selectAll().where("task", "=", "funnel days").execute()).toEqual([]);
  });

  describe("and closed hours of the current day", () => {
    const hoursKept = async () =>
      (await test.store.read.selectFrom("funnel_hours").select("hour").where("version", "=", "76").orderBy("hour").execute()).map(
        ({ hour: at }) => new Date(at).toISOString().slice(0, 13),
      );
    const steps = async () => {
      const { here } = await (await operator()).call("funnelSteps", { version: "76" });
      return [here.changedDays, ...here.steps.map(({ questionId, entered, left }) => [questionId, entered, left])];
    };
    const atMidday = () => test.world.pass(day + 12 * hour - (test.world.now() % day));

    /** Three days, and a fourth that is not over: its visitors come in several hours, one of them on a second device. */
    async function fourDays() {
      await threeDays();
      test.world.pass(hour + minute - (test.world.now() % hour));
      const account = "11111111-1111-4111-8111-000000000002";
      await send(visitor(account).shown(2).answers(2, 1).shown(3), inDe);
      await send(visitor().shown(2).answers(2, 2).shown(3).answers(3, 1).shown(12).shown(14));
      await send(visitor().shown(2), newer);
      test.world.pass(2 * hour);
      await send(visitor(account).shown(3).answers(3, 2).shown(4), newer);
      await send(visitor().shown(2).answers(2, 3).shown(3), { ...inDe, ...newer });
      test.world.pass(hour);
      await send(visitor().shown(2), { platform: "other" });
      test.world.pass(80 * minute);
      await send(visitor().shown(2).answers(2, 1).shown(3));
      test.world.pass(minute);
    }

    it.runIf(isSampled)(
      "give the same numbers as their journeys, under every filter and today, half an hour after the hours have ended",
      async () => {
        await fourDays();
        const before = await everything();
        await keepDays();
        const hours = await hoursKept();
        expect(hours).toHaveLength(3);
        expect(Date.parse(`${hours.at(-1)}:00Z`) + hour + 30 * minute).toBeLessThanOrEqual(test.world.now());
        expect(await everything()).toEqual(before);
        // First only days are stored, then nothing.
        await test.store.write((queries) => queries.deleteFrom("funnel_hours").execute());
        expect(await everything()).toEqual(before);
      },
    );

    it("are read instead of the journeys, and not stored while they have few visitors", async () => {
      await fourDays();
      await keepDays(3);
      expect(await hoursKept()).toHaveLength(1);
      await keepDays();
      const { numbers } = await everything();
      const today = test.world.now() - (test.world.now() % day);
      await test.store.write((queries) =>
        queries
          .deleteFrom("journeys")
          .where("started_at", ">=", today)
          .where("started_at", "<", test.world.now() - 90 * minute)
          .execute(),
      );
      const { here } = await (await operator()).call("funnelSteps", { version: "76" });
      expect(here.visitors).toBe(numbers[0]?.visitors);
    });

    it("that change are marked and counted again in the next round", async () => {
      atMidday();
      const late = visitor().shown(2);
      await send(late);
      test.world.pass(hour + 31 * minute);
      await keepDays();
      expect(await steps()).toEqual([0, [2, 1, 1]]);
      await send(late.answers(2).shown(3));
      expect(await steps()).toEqual([0, [2, 1, 1]]);
      test.world.pass(minute);
      const today = walker({ device: late.device, startsAt: test.world.now(), newId }).answers(2).shown(3);
      await send({ ...today, events: today.events.map((event) => ({ ...event, sequence: (event.sequence ?? 0) + 3 })) });
      expect(await steps()).toEqual([1, [2, 1, 1]]);
      test.world.pass(5 * minute);
      await keepDays();
      expect(await steps()).toEqual([0, [2, 1, 0], [3, 1, 0]]);
      // The visitors who were still there have left by now, without another event.
      test.world.pass(31 * minute);
      await keepDays();
      expect(await steps()).toEqual([0, [2, 1, 0], [3, 1, 1]]);
    });

    it("are replaced by their day when it is stored, and deleted a day later", async () => {
      atMidday();
      const late = visitor().shown(2);
      await send(late);
      test.world.pass(2 * hour);
      await keepDays();
      const hours = await hoursKept();
      expect(hours).toHaveLength(1);
      test.world.pass(day);
      await keepDays();
      expect(await hoursKept()).toEqual(hours);
      await send(late.answers(2).shown(3));
      test.world.pass(11 * minute);
      await keepDays();
      expect(await steps()).toEqual([0, [2, 1, 0], [3, 1, 1]]);
      test.world.pass(day);
      await keepDays();
      expect(await hoursKept()).toEqual([]);
      expect(await steps()).toEqual([0, [2, 1, 0], [3, 1, 1]]);
    });

    it.runIf(isSampled)(
      "are counted from their journeys where an older release stored fewer milestones, and by one of several processes",
      async () => {
        await fourDays();
        const before = await everything();
        await Promise.all([keepDays(), keepDays(), keepDays()]);
        expect(await hoursKept()).toHaveLength(3);
        await test.store.write((queries) => queries.updateTable("funnel_hours").set({ milestones: '{"visitors":9,"began":9}' }).execute());
        expect(await everything()).toEqual(before);
      },
    );
  });
});
