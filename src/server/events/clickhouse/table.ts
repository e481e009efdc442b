/** The table in ClickHouse and the row of a visitor. Everything that is counted is computed here, so that ClickHouse only adds up. */
import { retentionPeriods } from "../../base/retentionPeriods.ts";
import { dayMs, dayStart } from "../funnelDays.ts";
import { anyTraits } from "../funnelHours.ts";
import { encodeJourney, standsAt } from "../journey.ts";
import { reached } from "../milestones.ts";
import { binOf } from "../seconds.ts";
import { secondsAt } from "../tally.ts";
import { type Trait, traits, type Visitor, type WholeVisitor } from "../visitors.ts";
import type { ClickHouse } from "./client.ts";

/** Change the number when columns change. */
export const tablesBegin = "parlando_journeys_1_";
/** Each copy has its own table, so that two installations never share one. */
export const tableOf = (copyName: string): string => `${tablesBegin}${copyName.replaceAll("-", "")}`;
/** Stands for a missing number. */
export const none = -1;

/**
 * A row is a device's journey in a version. Of two rows with the same key, the one with the higher edition is valid. Rows marked `whole` count as a
 * visitor: of several devices, the one that started first is whole and holds the steps of all. Rows marked `gone` delete their key. The day of the
 * start is part of the key, so that a count reads only the days requested; a journey that turns out to have begun earlier moves.
 */
export const createTable = (table: string) => `CREATE TABLE IF NOT EXISTS ${table} (
  version LowCardinality(String), day Int32, began_on String, edition UInt64, gone UInt8, whole UInt8,
  device String, started_at Int64, last_at Int64,
  ${traits.map((trait) => `${trait} LowCardinality(String)`).join(", ")},
  bought UInt8, began UInt8, stands_at Int32,
  questions Array(Int32), bins Array(Int16), times Array(Int64), options Array(Int32),
  journey String CODEC(ZSTD(3)),
  month UInt32, kept_until DateTime
) ENGINE = ReplacingMergeTree(edition, gone) PARTITION BY month ORDER BY (version, day, began_on)
TTL kept_until`;

/** A row's key. `day` is the midnight before the journey's start. */
export interface Place {
  readonly version: string;
  readonly day: number;
  readonly device: string;
}
export const nameOf = ({ version, day, device }: Place): string => `${version} ${day} ${device}`;

/** How much later ClickHouse deletes rows by age than the database. By then, a running copy has deleted them itself. */
const behindRetention = 8 * dayMs;
/** How long the rows of removed journeys are kept: longer than `retention.ts` keeps a copy that no process updates. */
const goneRowsKept = 60 * dayMs;
const second = 1_000;
const lastSecond = 2 ** 32 - 1;
const dateTime = (at: number) => Math.min(Math.max(Math.floor(at / second), 1), lastSecond);
const [firstYear, lastYear] = [2020, 2099];

/** The partition. Devices may send any time, so months far from now share one. */
function monthOf(day: number): number {
  const date = new Date(day);
  const year = date.getUTCFullYear();
  return year >= firstYear && year <= lastYear ? year * 100 + date.getUTCMonth() + 1 : 0;
}

const keyOf = ({ version, day, device }: Place) => ({ version, day: day / dayMs, began_on: device, month: monthOf(day) });

const noScreens = { level: [], signedUp: [], offers: [], checkout: [] };

function contentOf(visitor: Visitor) {
  const { journey, bought, device } = visitor;
  const questions = [...journey.steps.keys()];
  const seconds = questions.map((id) => secondsAt(journey, id));
  return {
    device,
    started_at: journey.startedAt,
    last_at: journey.lastAt,
    ...(Object.fromEntries(traits.map((trait) => [trait, visitor[trait] ?? ""])) as Record<Trait, string>),
    bought: Number(bought),
    began: Number(reached("began", visitor, noScreens)),
    stands_at: standsAt(journey) ?? none,
    questions,
    bins: seconds.map((each) => (each === null ? none : binOf(each))),
    times: seconds.map((each) => (each === null ? none : Math.round(each * second))),
    options: questions.map((id) => journey.steps.get(id)?.chosen?.optionId ?? none),
    journey: encodeJourney(journey),
  };
}

/** The rows of some visitors, by their keys. */
export function rowsOf(visitors: readonly WholeVisitor[], edition: number): ReadonlyMap<string, object> {
  const rows = new Map<string, object>();
  // All of a device's journeys are deleted together.
  const lastOf = new Map<string, number>();
  for (const { parts } of visitors)
    for (const { device, journey } of parts) lastOf.set(device, Math.max(journey.lastAt, lastOf.get(device) ?? journey.lastAt));
  for (const { version, whole, parts } of visitors) {
    const last = parts.reduce((latest, { device }) => Math.max(latest, lastOf.get(device) ?? latest), whole.journey.lastAt);
    const keptUntil = dateTime(last + retentionPeriods.events + behindRetention);
    for (const [at, part] of parts.entries()) {
      const place = { version, day: dayStart(part.journey.startedAt), device: part.device };
      rows.set(nameOf(place), {
        ...keyOf(place),
        edition,
        gone: 0,
        whole: Number(at === 0),
        ...contentOf(at === 0 ? whole : part),
        kept_until: keptUntil,
      });
    }
  }
  return rows;
}

const empty = { device: "", started_at: 0, last_at: 0, ...anyTraits, bought: 0, began: 0, stands_at: none, journey: "" };

export const goneRow = (place: Place, edition: number, now: number): object => ({
  ...keyOf(place),
  ...empty,
  edition,
  gone: 1,
  whole: 0,
  kept_until: dateTime(now + goneRowsKept),
});

/** The row that records the edition up to which the table is complete. It is no journey. */
export const markRow = (edition: number): object => ({
  ...keyOf({ version: "", day: 0, device: "" }),
  ...empty,
  edition,
  gone: 0,
  whole: 0,
  kept_until: lastSecond,
});

/** The edition up to which the table is complete; 0 when it is empty. */
export async function editionIn(clickhouse: ClickHouse, table: string, withinMs?: number): Promise<number> {
  const [mark] = await clickhouse.rows<{ readonly edition: number }>(
    `SELECT max(t.edition) AS edition FROM ${table} AS t WHERE version = ''`,
    {},
    withinMs,
  );
  return mark?.edition ?? 0;
}
