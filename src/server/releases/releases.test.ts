/** Releases and weights, through the calls of visitors and the studio. */
import { shippedQuestionnaires } from "#server/releases/shipped.ts";
import { createTestApp, createTestStore, sampledDatabases, type TestApp } from "#test/app.ts";
import { versionsCalls } from "#studio/contract/versions.ts";
import { storeProofs } from "#test/releaseProofs.ts";
import { sendStudioCall, signInOperator, type StudioClient } from "#test/studio.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import type { AppParts } from "../app.ts";
import type { Settings } from "../base/settings.ts";
import type { Store } from "../store/store.ts";

const seconds = 1_000;
const day = 24 * 60 * 60 * seconds;
const visitor = { version: "v5.7.8", uiLanguage: "es-419" } as const;
const drawn = async (t: TestApp, times = 40) => {
  const found = new Set<string>();
  for (let n = 0; n < times; n++) found.add((await t.call("config", { query: visitor })).questionnaireVersion);
  return [...found].toSorted();
};

describe.each(sampledDatabases)("the versions that visitors get (%s)", (database) => {
  let store: Store;
  let t: TestApp;
  let publisher: StudioClient;
  const serverWith = (changes: Partial<Settings> = {}, parts: Partial<AppParts> = {}) =>
    createTestApp({ database, store, settings: changes, parts: { questionnaires: shippedQuestionnaires, ...parts } });
  beforeEach(async () => {
    store = await createTestStore(database);
    await storeProofs(store);
    t = await serverWith({ raffle: { "es-419": { "76": 1, "83": 3 } } });
    publisher = await signInOperator(t, "publisher");
  });
  afterEach(() => t.close());
  const now = async (client = publisher) => (await client.call("versions", {})).current.find(({ locale }) => locale === "es-419");

  it("start with the weights in the settings, or else with the default version", async () => {
    const { current, history } = await publisher.call("versions", {});
    expect(Object.fromEntries(current.map(({ locale, weights }) => [locale, weights]))).toEqual({
      "es-419": { "76": 1, "83": 3 },
      "es-ES": { "83": 1 },
      "pt-BR": { "78": 1 },
      "it-IT": { "83": 1 },
      "de-DE": { "83": 1 },
    });
    expect(current.every(({ by, number }) => by === null && number === 1)).toBe(true);
    expect(history).toHaveLength(5);
    expect(await drawn(t)).toEqual(["76", "83"]);
  });

  it("are drawn for English visitors as for Latin American ones, however a client spells the locale", async () => {
    await publisher.call("rolloutSet", { locale: "es-419", weights: { "91": 1 }, after: (await now())?.number ?? 0, reason: "a try" });
    t.world.pass(5 * seconds);
    const { questionnaireVersion } = await t.call("config", { query: { ...visitor, uiLanguage: "en-US" } });
    expect(questionnaireVersion).toBe("91");
  });

  it("follow an operator's weights within five seconds in every process, with the reason in the audit", async () => {
    const other = await serverWith({ raffle: { "es-419": { "76": 1, "83": 3 } } });
    expect(await drawn(other)).toEqual(["76", "83"]);
    await publisher.call("rolloutSet", { locale: "es-419", weights: { "89": 2, "76": 0 }, after: 1, reason: "The guide is tried" });
    t.world.pass(5 * seconds);
    other.world.pass(5 * seconds);
    expect([await drawn(t), await drawn(other)]).toEqual([["89"], ["89"]]);
    expect(await now()).toMatchObject({ number: 2, weights: { "89": 2 }, by: publisher.name, reason: "The guide is tried" });
    // The order of locales does not change when weights are set.
    expect((await publisher.call("versions", {})).current.map(({ locale }) => locale)).toEqual([
      "es-419",
      "es-ES",
      "pt-BR",
      "it-IT",
      "de-DE",
    ]);
    const [row] = await store.read.selectFrom("operator_audit").selectAll().where("action", "=", "weights set").execute();
    expect(row).toMatchObject({
      subject: "locale es-419",
      before_values: '{"76":1,"83":3}',
      after_values: '{"89":2}',
      reason: "The guide is tried",
    });
    await other.app.close();
  });

  it("follow an operator's weights also after the clock was set back", async () => {
    expect(await drawn(t)).toEqual(["76", "83"]);
    t.world.pass(-day);
    await publisher.call("rolloutSet", { locale: "es-419", weights: { "89": 1 }, after: 1, reason: "The others are broken" });
    t.world.pass(5 * seconds);
    expect(await drawn(t)).toEqual(["89"]);
    expect((await now())?.weights).toEqual({ "89": 1 });
  });

  it("refuse weights that were decided on outdated ones, that give nobody a version, or that name an unknown version", async () => {
    const set = (weights: Readonly<Record<string, number>>, after: number) => ({
      locale: "es-419" as const,
      weights,
      after,
      reason: "a try",
    });
    await publisher.call("rolloutSet", set({ "76": 1 }, await now().then((rollout) => rollout?.number ?? 0)));
    expect(await publisher.refusal("rolloutSet", set({ "83": 1 }, 1))).toMatchObject({ code: 1409 });
    expect(await publisher.refusal("rolloutSet", set({ "76": 0 }, 2))).toMatchObject({ code: 1000 });
    expect(await publisher.refusal("rolloutSet", set({ "12": 1 }, 2))).toMatchObject({ code: 1000 });
    expect(await publisher.refusal("rolloutSet", { ...set({ "76": 1 }, 2), reason: "" })).toMatchObject({ code: 1000 });
    expect((await now())?.weights).toEqual({ "76": 1 });
  });

  it("follow changed settings until an operator has set a locale's weights", async () => {
    await drawn(t, 1);
    const second = await serverWith({ raffle: { "es-419": { "85": 1 } } });
    expect(await drawn(second)).toEqual(["85"]);
    await publisher.call("rolloutSet", { locale: "es-419", weights: { "76": 1 }, after: 2, reason: "back to the old one" });
    const third = await serverWith({ raffle: { "es-419": { "90": 1 } } });
    expect(await drawn(third)).toEqual(["76"]);
    await Promise.all([second, third].map(({ app }) => app.close()));
  });

  it("follow the settings of the process that started last, while others run with earlier ones: each look of each process added a row", async () => {
    expect(await drawn(t)).toEqual(["76", "83"]);
    const second = await serverWith({ raffle: { "es-419": { "85": 1 } } });
    for (let looks = 0; looks < 5; looks++) {
      expect([await drawn(second), await drawn(t)]).toEqual([["85"], looks === 0 ? ["76", "83"] : ["85"]]);
      for (const { world } of [t, second]) world.pass(5 * seconds);
    }
    expect(await now()).toMatchObject({ number: 2, weights: { "85": 1 }, by: null });
    await second.app.close();
  });

  it("are drawn as before while the database is down", async () => {
    let away = false;
    const failing: Store = {
      ...store,
      get read() {
        if (away) throw new Error("The database is away.");
        return store.read;
      },
    };
    const known = await serverWith({ raffle: { "es-419": { "76": 1, "83": 3 } } }, { store: failing });
    expect(await drawn(known)).toEqual(["76", "83"]);
    await publisher.call("rolloutSet", { locale: "es-419", weights: { "90": 1 }, after: 1, reason: "a try" });
    away = true;
    known.world.pass(5 * seconds);
    expect(await drawn(known)).toEqual(["76", "83"]);
    const fresh = await serverWith({ raffle: { "es-419": { "85": 1 } } }, { store: failing });
    expect(await drawn(fresh)).toEqual(["85"]);
    away = false;
    expect([await drawn(known), await drawn(fresh)]).toEqual([["90"], ["90"]]);
    await Promise.all([known, fresh].map(({ app }) => app.close()));
  });

  it.runIf(sampledDatabases.includes(database))(
    "each have one release, whichever process registers it, and the checker's result",
    async () => {
      const { hash } = shippedQuestionnaires.bundleOf("91");
      await store.write((queries) => queries.deleteFrom("release_proofs").where("hash", "=", hash).execute());
      const other = await serverWith();
      const asked = await Promise.all([t, other].map((app) => sendStudioCall(app, "versions", { cookie: publisher.cookie })));
      const both = asked.map((answer) => v.parse(versionsCalls.versions.output, answer.json()));
      const [one, two] = both.map(({ versions }) => versions.map(({ version, release }) => [version, release?.hash, release?.number]));
      expect(one).toEqual(two);
      expect(one).toContainEqual(["76", shippedQuestionnaires.bundleOf("76").hash, 1]);
      expect(both[0]?.versions.find(({ version }) => version === "ai")).toMatchObject({ release: null, elsewhere: expect.any(String) });
      const { n } = await store.read
        .selectFrom("releases")
        .select((q) => q.fn.countAll().as("n"))
        .executeTakeFirstOrThrow();
      expect(Number(n)).toBe(shippedQuestionnaires.versions.length);
      const proofOf = async () =>
        (await publisher.call("versions", {})).versions.find(({ version }) => version === "91")?.release?.proof ?? null;
      await expect.poll(proofOf, { interval: 500 }).toMatchObject({ faults: [], numbers: expect.stringMatching(/^\d+ screens/) });
      await other.app.close();
    },
  );

  it("can be compared: one call lists a version's differences from another", async () => {
    const { lines } = await publisher.call("versionDifferences", { from: "76", to: "83" });
    expect(lines.length).toBeGreaterThan(0);
    expect(await publisher.refusal("versionDifferences", { from: "76", to: "12" })).toMatchObject({ code: 1404 });
  });
});
