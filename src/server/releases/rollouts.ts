/**
 * The weights by which a locale's visitors are assigned to versions. Rows are only added; the latest one counts in every process. The first row comes
 * from the settings. Once an operator has set a locale's weights, the settings no longer apply to it (decision 151).
 */
import { traitsOf } from "#content/questionnaires/known.ts";
import { raffleLocales, type Locale, locales, localeTraits } from "#core/locales.ts";
import { createHash } from "node:crypto";
import type { Questionnaires } from "../base/questionnaires.ts";
import type { Settings } from "../base/settings.ts";
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/** Weights by version; a missing one is 0. */
export type Weights = Readonly<Record<string, number>>;

export interface Rollout {
  readonly locale: Locale;
  readonly number: number;
  readonly weights: Weights;
  /** The operator's name; null when the settings set the weights. */
  readonly by: string | null;
  readonly reason: string;
  readonly at: number;
}

export interface Rollouts {
  /** The current weights of every locale, at most two seconds old. */
  readonly current: () => Promise<readonly Rollout[]>;
  /** The same seed draws the same version while the weights are unchanged. */
  readonly draw: (locale: Locale, seed: string) => Promise<string>;
}

/** How long weights are cached, ms, also when the clock is set back. All processes follow a change within five seconds. */
const knownFor = 2_000;
/** The most bytes that a number holds exactly. */
const drawnBytes = 6;

interface RolloutsParts {
  readonly store: Store;
  readonly world: World;
  readonly settings: Pick<Settings, "raffle">;
  readonly questionnaires: Questionnaires;
}

export function createRollouts({ store, world, settings, questionnaires }: RolloutsParts): Rollouts {
  const fromSettings = (locale: Locale): Weights => settings.raffle[locale] ?? { [questionnaires.defaultVersion[locale]]: 1 };
  let known: { readonly rows: readonly Rollout[]; readonly at: number } | null = null;
  let asking: Promise<readonly Rollout[]> | null = null;
  /** Once, at the first reading: two processes with different settings would otherwise replace each other's weights at every reading. */
  let areSettingsApplied = false;
  const needsRow = (rows: readonly Rollout[], locale: Locale) =>
    areSettingsApplied ? rows.every((row) => row.locale !== locale) : followsSettings(rows, locale, fromSettings(locale));

  async function read(): Promise<readonly Rollout[]> {
    let rows = await currentRollouts(store.read);
    const behind = raffleLocales.filter((locale) => needsRow(rows, locale));
    if (behind.length > 0) {
      await store.write(async (queries) => {
        const latest = await currentRollouts(queries);
        for (const locale of behind) {
          const after = latest.find((row) => row.locale === locale)?.number ?? 0;
          if (needsRow(latest, locale))
            await addRollout(queries, world, { locale, after, weights: fromSettings(locale), by: null, reason: "As the settings have it" });
        }
      });
      rows = await currentRollouts(store.read);
    }
    areSettingsApplied = true;
    known = { rows, at: world.now() };
    return rows;
  }

  async function current(): Promise<readonly Rollout[]> {
    if (known !== null && Math.abs(world.now() - known.at) < knownFor) return known.rows;
    asking ??= read().finally(() => (asking = null));
    return asking;
  }

  return {
    current,
    async draw(visitors, seed) {
      const locale = localeTraits[visitors].backend;
      // While the database is down, the last known weights apply.
      const rows = await current().catch(() => known?.rows ?? []);
      const weights = rows.find((row) => row.locale === locale)?.weights ?? fromSettings(locale);
      return drawVersion(weights, questionnaires, locale, seed);
    },
  };
}

/** Whether the settings need a new row: there is none yet, or the latest came from the settings and they have changed. */
function followsSettings(rows: readonly Rollout[], locale: Locale, weights: Weights): boolean {
  const latest = rows.find((row) => row.locale === locale);
  return latest === undefined || (latest.by === null && !sameWeights(latest.weights, weights));
}

function sameWeights(one: Weights, other: Weights): boolean {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((version) => (one[version] ?? 0) === (other[version] ?? 0));
}

/** The latest row of each locale. */
export async function currentRollouts(queries: Queries): Promise<readonly Rollout[]> {
  const rows = await queries
    .selectFrom("rollouts")
    .selectAll()
    .where(({ eb, selectFrom }) =>
      eb(
        "number",
        "=",
        selectFrom("rollouts as later")
          .select((q) => q.fn.max("later.number").as("number"))
          .whereRef("later.locale", "=", "rollouts.locale"),
      ),
    )
    .execute();
  return rows.flatMap(rolloutOf);
}

/** Newest first. */
export async function latestRollouts(queries: Queries, limit: number): Promise<readonly Rollout[]> {
  const rows = await queries
    .selectFrom("rollouts")
    .selectAll()
    .orderBy("at", "desc")
    .orderBy("locale")
    .orderBy("number", "desc")
    .limit(limit)
    .execute();
  return rows.flatMap(rolloutOf);
}

type Row = Awaited<ReturnType<typeof selectedRows>>[number];
const selectedRows = (queries: Queries) => queries.selectFrom("rollouts").selectAll().execute();

function rolloutOf({ locale, number, weights, operator_name: by, reason, at }: Row): readonly Rollout[] {
  const own = locales.find((each) => each === locale);
  return own === undefined ? [] : [{ locale: own, number, weights: JSON.parse(weights), by, reason, at: Number(at) }];
}

/** A new row. `after` is the number of the row before it. */
export interface NewRollout extends Pick<Rollout, "locale" | "weights" | "by" | "reason"> {
  readonly after: number;
}

/** Adds a row within the caller's write. @returns false when another row was added meanwhile */
export async function addRollout(queries: Queries, world: World, { locale, weights, by, reason, after }: NewRollout): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await queries
    .insertInto("rollouts")
    .values({ locale, number: after + 1, weights: JSON.stringify(weights), operator_name: by, reason, at: world.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Whether visitors can get this version: it has a questionnaire here or on another site. */
export function isOffered(version: string, { versions }: Pick<Questionnaires, "versions">): boolean {
  return versions.includes(version) || traitsOf(version).externalSite !== null;
}

/** Draws by weight among the known versions; falls back to the default version. */
function drawVersion(weights: Weights, questionnaires: Questionnaires, locale: Locale, seed: string): string {
  const tickets = Object.entries(weights).filter(([version, weight]) => weight > 0 && isOffered(version, questionnaires));
  const total = tickets.reduce((sum, [, weight]) => sum + weight, 0);
  const drawn = (createHash("sha256").update(seed).digest().readUIntBE(0, drawnBytes) / 2 ** (8 * drawnBytes)) * total;
  let upTo = 0;
  for (const [version, weight] of tickets) {
    upTo += weight;
    if (drawn < upTo) return version;
  }
  return questionnaires.defaultVersion[locale];
}
