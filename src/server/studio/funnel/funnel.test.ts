import { releaseName } from "#core/release.ts";
import { createTestApp, createTestStore, databases, type TestApp } from "#test/app.ts";
import type { KyselyPlugin } from "kysely";
import fc from "fast-check";
import { type StudioClient, signInOperator } from "#test/studio.ts";
import { type Walker, walker } from "#test/traffic.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const minute = 60_000;

const walkStep = fc.record({
  does: fc.constantFrom("shown", "answers"),
  questionId: fc.constantFrom(2, 3, 4, 40),
});
const traffic = fc.array(
  fc.record({
    steps: fc.array(walkStep, { minLength: 1, maxLength: 8 }),
    locale: fc.constantFrom("de-DE", "es-419"),
    country: fc.constantFrom("DE", "MX"),
    platform: fc.constantFrom("android", "apple"),
    /** One of few accounts, so that some visitors use several devices. */
    account: fc.option(fc.integer({ min: 1, max: 3 })),
    minutesAgo: fc.constantFrom(1, 20, 40, 26 * 60),
  }),
  { minLength: 1, maxLength: 12 },
);

it("under every filter, visitors who entered equal those who went on, left and are still there, and parts add up to the whole", async () => {
  const test = await createTestApp({ database: "sqlite" });
  try {
    const viewer = await signInOperator(test, "viewer");
    let ids = 0;
    const newId = () => `00000000-0000-4000-9000-${String((ids += 1)).padStart(12, "0")}`;
    await fc.assert(
      fc.asyncProperty(traffic, async (visits) => {
        await test.store.write(async (queries) => {
          for (const table of ["events", "journeys", "event_devices"] as const) await queries.deleteFrom(table).execute();
        });
        for (const { steps, locale, country, platform, account, minutesAgo } of visits) {
          const walk = walker({
            device: newId(),
            startsAt: test.world.now() - minutesAgo * minute,
            newId,
            ...(account === null ? {} : { uuid: `11111111-1111-4111-8111-00000000000${account}` }),
          });
          for (const { does, questionId } of steps) walk[does](questionId);
          const response = await test.app.inject({
            method: "POST",
            url: "/api/send-event",
            // Different addresses, because no network may send this many events.
            remoteAddress: `10.0.${(ids >> 8) & 255}.${ids & 255}`,
            headers: { "x-device-id": walk.device },
            payload: {
              events: walk.events.map((event) => ({ ...event, payload: { ...event.payload, locale, country, platform } })),
              device: walk.device,
              sentAt: new Date(test.world.now()).toISOString(),
            },
          });
          expect(response.statusCode).toBe(202);
        }
        const countsOf = async (filter: Readonly<Record<string, string>>) => {
          const { here } = await viewer.call("funnelSteps", { version: "76", ...filter });
          for (const { entered, wentOn, left, stillThere } of here.steps) expect(entered).toBe(wentOn + left + stillThere);
          return new Map([
            ["visitors", here.visitors],
            ...here.steps.map(({ questionId, entered }) => [String(questionId), entered] as const),
          ]);
        };
        const whole = await countsOf({});
        const yesterday = new Date(test.world.now() - 24 * 60 * minute).toISOString().slice(0, 10);
        const today = new Date(test.world.now()).toISOString().slice(0, 10);
        for (const parts of [
          [{ locale: "de-DE" }, { locale: "es-419" }],
          [{ country: "DE" }, { country: "MX" }],
          [{ platform: "android" }, { platform: "apple" }],
          [{ came: "new" }, { came: "returning" }],
          [{ consent: "yes" }, { consent: "no" }, { consent: "-" }],
          [{ to: yesterday }, { from: today }],
        ] as const) {
          const counted = await Promise.all(parts.map(countsOf));
          for (const [name, count] of whole)
            expect([name, counted.reduce((sum, part) => sum + (part.get(name) ?? 0), 0)]).toEqual([name, count]);
        }
      }),
      { numRuns: 25 },
    );
  } finally {
    await test.close();
  }
});

describe.each(databases)("the funnel's calls on %s", (kind) => {
  let test: TestApp;
  let viewer: StudioClient;
  let ids = 0;
  const newId = () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}`;
  /** Sends everything a walker did, from its device. */
  const send = async ({ device, events }: Walker, changed: Readonly<Record<string, string>> = {}, { app }: TestApp = test) => {
    const response = await app.inject({
      method: "POST",
      url: "/api/send-event",
      headers: { "x-device-id": device },
      payload: {
        events: events.map((event) => ({ ...event, payload: { ...event.payload, ...changed } })),
        device,
        sentAt: events.at(-1)?.at,
      },
    });
    expect(response.statusCode).toBe(202);
  };
  const visitor = () => walker({ device: newId(), startsAt: test.world.now(), newId });

  beforeAll(async () => {
    test = await createTestApp({ database: kind });
    viewer = await signInOperator(test, "viewer");
    await send(visitor().shown(2).answers(2, 1).shown(3).answers(3).shown(4));
    await send(visitor().shown(2).answers(2, 2).shown(3), { locale: "de-DE", country: "DE" });
    await send(visitor().shown(2), { locale: "de-DE", country: "DE", platform: "apple" });
    test.world.pass(31 * minute);
    await send(visitor().shown(2).answers(2, 1).answers(2, 2).shown(3), { country: "DE" });
    test.world.pass(minute);
  });
  afterAll(() => test.close());

  const steps = async (filter: Readonly<Record<string, string>>) => {
    const { here } = await viewer.call("funnelSteps", { version: "76", ...filter });
    return Object.fromEntries(
      here.steps.map(({ questionId, entered, wentOn, left, stillThere }) => {
        expect(entered).toBe(wentOn + left + stillThere);
        return [questionId, [entered, wentOn, left, stillThere]];
      }),
    );
  };

  it("tell for every screen how many entered, went on, left and are still there", async () =>
    expect(await steps({})).toEqual({ 2: [4, 3, 1, 0], 3: [3, 1, 1, 1], 4: [1, 0, 1, 0] }));

  it.each([
    [{ country: "DE" }, { 2: [3, 2, 1, 0], 3: [2, 0, 1, 1] }],
    [
      { country: "DE", locale: "de-DE" },
      { 2: [2, 1, 1, 0], 3: [1, 0, 1, 0] },
    ],
    [{ platform: "apple,other" }, { 2: [1, 0, 1, 0] }],
    [{ campaign: "-" }, { 2: [4, 3, 1, 0], 3: [3, 1, 1, 1], 4: [1, 0, 1, 0] }],
    [{ campaign: "autumn" }, {}],
    [{ to: "2026-11-19" }, {}],
    [
      { from: "2026-11-20", to: "2026-11-20" },
      { 2: [4, 3, 1, 0], 3: [3, 1, 1, 1], 4: [1, 0, 1, 0] },
    ],
  ])("count the visitors that the filter %o lets through", async (filter, expected) => expect(await steps(filter)).toEqual(expected));

  it("read no journey on the thread that serves visitors", async () => {
    const read: string[] = [];
    const spy: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('"journeys"')) read.push(node.kind);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const store = await createTestStore(kind);
    const watched = await createTestApp({ database: kind, store: { ...store, read: store.read.withPlugin(spy) } });
    try {
      const operator = await signInOperator(watched, "support");
      await send(visitor().shown(2), {}, watched);
      read.splice(0);
      const { here } = await operator.call("funnelSteps", { version: "76" });
      expect(here.visitors).toBe(1);
      for (const key of ["today", "funnelFilters"] as const) await operator.call(key, {});
      for (const key of ["funnelScreen", "funnelVisits"] as const) await operator.call(key, { version: "76", questionId: "2" });
      expect(read).toEqual([]);
    } finally {
      await watched.close();
    }
  });

  it("show one version beside another", async () => {
    const { beside } = await viewer.call("funnelSteps", { version: "76", beside: "83" });
    expect(beside).toMatchObject({ version: "83", visitors: 0, steps: [] });
  });

  it("show some days beside other days", async () => {
    const compared = await viewer.call("funnelSteps", { version: "76", from: "2026-11-20", besideTo: "2026-11-19", country: "DE" });
    expect([compared.here.visitors, compared.beside]).toMatchObject([3, { version: "76", visitors: 0, steps: [] }]);
    const same = await viewer.call("funnelSteps", { version: "76", to: "2026-11-19", besideFrom: "2026-11-20", country: "DE" });
    expect([same.here.visitors, same.beside?.visitors]).toEqual([0, 3]);
  });

  it("tell the last answers, the times and the leavers of one screen", async () => {
    const screen = await viewer.call("funnelScreen", { version: "76", questionId: "2" });
    expect(screen.answers.map(({ option, visitors }) => [option, visitors])).toEqual([
      [1, 1],
      [2, 2],
      [3, 0],
    ]);
    expect(screen.answered).toBe(3);
    expect(screen.times.reduce((sum, { visitors }) => sum + visitors, 0)).toBe(3);
    expect(screen.leftBy).toContainEqual({ value: "platform", words: "apple", left: 1, entered: 1 });
    expect(screen.leftBy).toContainEqual({ value: "country", words: "DE", left: 1, entered: 3 });
    // The picture is in the locale in which most visitors saw the screen; here two have equally many, and the first by name is taken.
    const locales = screen.leftBy.filter(({ value }) => value === "locale");
    expect(locales.map(({ words }) => words).toSorted()).toEqual(["de-DE", "es-419"]);
    expect(new Set(locales.map(({ entered }) => entered)).size).toBe(1);
    expect(screen.picture).toMatch(/^\/de\/.*\/76\/2\/\?picture$/);
    expect(await viewer.refusal("funnelScreen", { version: "76", questionId: "999" })).toMatchObject({ code: 1404 });
  });

  it("offer the values that occur as filters", async () => {
    const filters = await viewer.call("funnelFilters", {});
    expect(filters.versions.map(({ version, visitors }) => [version, visitors])).toEqual([["76", 4]]);
    expect(filters.country).toEqual([
      { value: "DE", visitors: 3 },
      { value: "MX", visitors: 1 },
    ]);
    expect(filters.firstDay).toBe("2026-11-20");
  });

  it("count in each filter's list the visitors who match the other filters", async () => {
    const other = await createTestApp({ database: kind });
    try {
      const operator = await signInOperator(other, "viewer");
      const in83 = { questionnaire: "83" };
      await send(visitor().shown(2), { country: "MX" }, other);
      await send(visitor().shown(2), { country: "DE", locale: "de-DE" }, other);
      await send(visitor().shown(2), { country: "DE", locale: "de-DE", platform: "apple" }, other);
      await send(visitor().shown(2), { ...in83, country: "BR", locale: "pt-BR" }, other);
      await send(visitor().shown(2), { ...in83, country: "DE", platform: "apple" }, other);
      const listed = async (asked: Readonly<Record<string, string>>) => {
        const { versions, country, platform, locale } = await operator.call("funnelFilters", asked);
        const named = (rows: typeof country) => Object.fromEntries(rows.map(({ value, visitors }) => [value, visitors]));
        return {
          versions: Object.fromEntries(versions.map(({ version, visitors }) => [version, visitors])),
          country: named(country),
          platform: named(platform),
          locale: named(locale),
        };
      };
      expect(await listed({ version: "83" })).toEqual({
        versions: { "76": 3, "83": 2 },
        country: { BR: 1, DE: 1 },
        platform: { android: 1, apple: 1 },
        locale: { "pt-BR": 1, "es-419": 1 },
      });
      const germans = {
        versions: { "76": 2, "83": 1 },
        country: { MX: 1, DE: 2 },
        platform: { android: 1, apple: 1 },
        locale: { "de-DE": 2 },
      };
      // Without a version, the version with the most matching visitors is used.
      for (const asked of [{ country: "DE" }, { country: "DE", version: "76" }, { country: "DE", came: "new" }])
        expect(await listed(asked)).toEqual(germans);
      expect(await listed({ version: "76", country: "DE", platform: "apple" })).toEqual({
        versions: { "76": 1, "83": 1 },
        country: { DE: 1 },
        platform: { android: 1, apple: 1 },
        locale: { "de-DE": 1 },
      });
      expect((await listed({ version: "76", to: "2026-11-19" })).country).toEqual({});
      expect((await listed({ version: "76", consent: "yes" })).country).toEqual({});
    } finally {
      await other.close();
    }
  });

  it("tell a version's releases apart, by number and day if this installation knows them", async () => {
    const other = await createTestApp({ database: kind });
    try {
      const operator = await signInOperator(other, "viewer");
      await operator.call("funnelFilters", {});
      const entered = await other.store.read.selectFrom("releases").select("hash").where("version", "=", "76").executeTakeFirstOrThrow();
      const shipped = releaseName(entered.hash);
      await send(visitor().shown(2), {}, other);
      for (const release of [shipped, shipped, "00000000000a"]) await send(visitor().shown(2), { release }, other);
      const { release } = await operator.call("funnelFilters", {});
      expect(release.find(({ value }) => value === shipped)).toEqual({
        value: shipped,
        visitors: 2,
        version: "76",
        number: 1,
        at: other.world.now(),
      });
      const unknown = { visitors: 1, version: null, number: null, at: null };
      expect(release).toContainEqual({ value: "-", ...unknown });
      expect(release).toContainEqual({ value: "00000000000a", ...unknown });
      const compared = await operator.call("funnelSteps", { version: "76", release: shipped, besideRelease: "00000000000a" });
      expect([compared.here.visitors, compared.beside?.visitors]).toEqual([2, 1]);
      // A release belongs to one version, so its filter does not apply to the version beside it.
      const others = await operator.call("funnelSteps", { version: "83", release: "00000000000b", beside: "76" });
      expect([others.here.visitors, others.beside?.visitors]).toEqual([0, 4]);
      const { here } = await operator.call("funnelSteps", { version: "76", release: shipped });
      expect(here.visitors).toBe(2);
    } finally {
      await other.close();
    }
  });

  it("are not drowned in campaigns and releases that a stranger makes up", async () => {
    const other = await createTestApp({ database: kind });
    try {
      const operator = await signInOperator(other, "viewer");
      await operator.call("funnelFilters", {});
      const { hash } = await other.store.read.selectFrom("releases").select("hash").where("version", "=", "76").executeTakeFirstOrThrow();
      for (const release of [releaseName(hash), ...Array.from({ length: 202 }, (_, n) => `aaaaaaaa${String(n + 1_000)}`)])
        for (const _twice of [1, 2].slice(release === releaseName(hash) ? 1 : 0))
          await send(visitor().shown(2), { release, campaignId: `summer ${release}` }, other);
      const { release, campaign } = await operator.call("funnelFilters", {});
      expect([release.length, campaign.length]).toEqual([200, 200]);
      expect(release.map(({ value }) => value)).toContain(releaseName(hash));
    } finally {
      await other.close();
    }
  });

  it("list the visits of leavers who allowed statistics, and show each step by step", async () => {
    const support = await signInOperator(test, "support");
    const of = { version: "78", questionId: "3" };
    const walks = [1, 2, 3].map(() =>
      walker({ device: newId(), startsAt: test.world.now(), newId, version: "78" }).shown(2).answers(2, 3).shown(3),
    );
    const [watched, refused, silent] = walks.map(({ device }) => device);
    for (const walk of walks) await send(walk);
    const choose = async (device: string, analytics: boolean) => {
      test.world.pass(1);
      const response = await test.app.inject({
        method: "POST",
        url: "/api/consent",
        headers: { "x-device-id": device },
        payload: {
          id: newId(),
          at: new Date(test.world.now()).toISOString(),
          textVersion: "2026-11-20",
          categories: { functional: false, analytics, marketing: false },
          source: "banner",
        },
      });
      expect(response.statusCode, response.body).toBeLessThan(300);
    };
    await choose(watched ?? "", true);
    await choose(refused ?? "", true);
    await choose(refused ?? "", false);
    expect(await support.call("funnelVisits", of)).toMatchObject({ left: 0, allowed: 0, visits: [] });
    expect((await support.call("funnelVisit", { version: "78", visit: watched ?? "" })).left).toBe(false);
    test.world.pass(31 * minute);
    const { visits, ...counts } = await support.call("funnelVisits", of);
    expect(counts).toMatchObject({ left: 3, allowed: 1 });
    expect((await support.call("funnelScreen", of)).watchable).toBe(1);
    expect(visits.map(({ visit }) => visit)).toEqual([watched]);
    const visit = await support.call("funnelVisit", { version: "78", visit: watched ?? "" });
    expect(visit.left).toBe(true);
    expect(visit.events.map(({ type, questionId, answer }) => [type, questionId, answer === null ? null : "chosen"])).toEqual([
      ["QuestionnaireQuestionShown", 2, null],
      ["QuestionnaireAnswer", 2, "chosen"],
      ["QuestionnaireQuestionShown", 3, null],
    ]);
    expect(visit.events.map(({ picture }) => picture?.replace(/.*\/78\//, ""))).toEqual([
      "2/?country=MX&platform=android&picture",
      "2/?country=MX&platform=android&picture",
      "3/?a=2.3&country=MX&platform=android&picture",
    ]);
    // The chosen schedule is part of the later screens.
    const paced = walker({ device: watched ?? "", startsAt: test.world.now(), newId, version: "78" })
      .answers(60, 1)
      .shown(61);
    const [answered] = paced.events;
    await send({
      ...paced,
      events: paced.events.flatMap((event) =>
        event === answered
          ? [{ ...event, id: newId(), eventType: "StudyScheduleSelected", payload: { questionnaire: "78", schedule: 2 } }, event]
          : [event],
      ),
    });
    const later = await support.call("funnelVisit", { version: "78", visit: watched ?? "" });
    expect(later.events.at(-1)?.picture).toMatch(/[?&]a=2\.3(?:~|%7E)60\.1(?:~|%7E)s2&/);
    for (const device of [refused, silent])
      expect(await support.refusal("funnelVisit", { version: "78", visit: device })).toMatchObject({ code: 1404 });
    expect(await viewer.refusal("funnelVisits", of)).toMatchObject({ code: 1403 });

    const numbersOf = async (filter: Readonly<Record<string, string>>) =>
      (await viewer.call("funnelSteps", { version: "78", ...filter })).here.visitors;
    expect([await numbersOf({ consent: "yes" }), await numbersOf({ consent: "no" }), await numbersOf({ consent: "-" })]).toEqual([1, 1, 1]);
    await send(walker({ device: silent ?? "", startsAt: test.world.now(), newId, version: "83" }).shown(2));
    const cameTo83 = async (came: string) => (await viewer.call("funnelSteps", { version: "83", came })).here.visitors;
    expect([await cameTo83("new"), await cameTo83("returning"), await numbersOf({ came: "new" })]).toEqual([0, 1, 3]);
  });

  it("show a visit in the device's order, whichever of its batches of events was longer on its way", async () => {
    const support = await signInOperator(test, "support");
    const walk = walker({ device: newId(), startsAt: test.world.now() - minute, newId, version: "83" })
      .shown(2)
      .answers(2, 3)
      .shown(3);
    const [shown, answered, next] = walk.events;
    if (shown === undefined || answered === undefined || next === undefined) throw new Error("A walk has three events");
    const choice = { id: newId(), at: shown.at, textVersion: "2026-11-20", source: "banner" };
    await test.app.inject({
      method: "POST",
      url: "/api/consent",
      headers: { "x-device-id": walk.device },
      payload: { ...choice, categories: { functional: false, analytics: true, marketing: false } },
    });
    // The later screen's event arrives ten seconds before the answer's.
    const arrive = (event: typeof shown) => send({ ...walk, events: [event] });
    for (const event of [shown, next]) await arrive(event);
    test.world.pass(10_000);
    await arrive(answered);
    const { events } = await support.call("funnelVisit", { version: "83", visit: walk.device });
    expect(events.map(({ type, questionId }) => [type, questionId])).toEqual([
      ["QuestionnaireQuestionShown", 2],
      ["QuestionnaireAnswer", 2],
      ["QuestionnaireQuestionShown", 3],
    ]);
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b));
  });
});
