import { createTestApp, databases, startTime, type TestApp } from "#test/app.ts";
import { type StudioClient, signInOperator } from "#test/studio.ts";
import { type Walker, walker } from "#test/traffic.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const minute = 60_000;

describe.each(databases)("the funnel's calls on %s", (kind) => {
  let test: TestApp;
  let viewer: StudioClient;
  let ids = 0;
  const newId = () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}`;
  /** Everything a walker did, sent by its device. */
  const send = async ({ device, events }: Walker, changed: Readonly<Record<string, string>> = {}) => {
    const response = await test.app.inject({
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

  it("say of every screen who entered, went on, left and is still there", async () =>
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
  ])("count whom %o lets through", async (filter, expected) => expect(await steps(filter)).toEqual(expected));

  it("show one version beside another", async () => {
    const { beside } = await viewer.call("funnelSteps", { version: "76", beside: "83" });
    expect(beside).toMatchObject({ version: "83", visitors: 0, steps: [] });
  });

  it("tell of one screen the last answers, the times and who left", async () => {
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
    expect(await viewer.refusal("funnelScreen", { version: "76", questionId: "999" })).toMatchObject({ code: 1404 });
  });

  it("offer as filters what occurs", async () => {
    const filters = await viewer.call("funnelFilters", {});
    expect(filters.versions.map(({ version, visitors }) => [version, visitors])).toEqual([["76", 4]]);
    expect(filters.country).toEqual([
      { value: "DE", visitors: 3 },
      { value: "MX", visitors: 1 },
    ]);
    expect(filters.firstDay).toBe("2026-11-20");
  });

  it("tell of today who is on site and how it goes", async () => {
    const today = await viewer.call("today", {});
    expect(today.countedAt).toBe(startTime + 32 * minute);
    expect(today.onSite).toEqual([{ locale: "es-419", visitors: 1 }]);
    expect(today.figures.map(({ name, now, usual }) => [name, now, usual])).toEqual([
      ["visitors", 4, []],
      ["began", 3, []],
      ["purchases", 0, []],
    ]);
    expect(today.attention).toEqual([]);
  });
});
