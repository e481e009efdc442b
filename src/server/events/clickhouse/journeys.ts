/** Counts journeys in ClickHouse. It only filters, groups and adds up the values that `table.ts` computed, and defines none of its own. */
import { dayMs, dayStart, type Slots, type Span } from "../funnelDays.ts";
import { anyTraits } from "../funnelHours.ts";
import { decodeJourney } from "../journey.ts";
import {
  type Journeys,
  mostCombinations,
  noSlots,
  type Part,
  type SlotsQuery,
  canBeMadeUp,
  unknownWhenRare,
  type Started,
  type SumsFilter,
  type SumsQuery,
  withRest,
} from "../journeys.ts";
import { milestones } from "../milestones.ts";
import { createTally, idleAfter, type Tally } from "../tally.ts";
import { startTraits, type Trait, traits, type Visitor } from "../visitors.ts";
import type { ClickHouse, Params } from "./client.ts";
import { none } from "./table.ts";

const visitorsPerPage = 5_000;

/** A copy: its ClickHouse and its table. */
interface Copy {
  readonly clickhouse: ClickHouse;
  readonly table: string;
}

interface Asked {
  /** What is read instead of the table. */
  readonly from?: string;
  readonly where: string;
  readonly params: Params;
}

/** The condition for visitors who started in one of the spans. */
function conditionOf(filter: SumsFilter, spans: readonly Span[]): Asked {
  const params: Record<string, Params[string]> = { version: filter.version };
  const started = spans.map(({ from, to }, n) => {
    const within = ["1"];
    if (from !== undefined) {
      within.push(`day >= {fromDay${n}:Int32} AND started_at >= {from${n}:Int64}`);
      Object.assign(params, { [`from${n}`]: from, [`fromDay${n}`]: dayStart(from) / dayMs });
    }
    if (to !== undefined) {
      within.push(`day <= {toDay${n}:Int32} AND started_at < {to${n}:Int64}`);
      Object.assign(params, { [`to${n}`]: to, [`toDay${n}`]: dayStart(to) / dayMs });
    }
    return within.join(" AND ");
  });
  const conditions = ["version = {version:String}", `(${started.join(" OR ")})`];
  for (const trait of traits) {
    const values = filter[trait] ?? [];
    if (values.length === 0) continue;
    conditions.push(`${trait} IN {${trait}:Array(String)}`);
    params[trait] = values;
  }
  return { where: conditions.join(" AND "), params };
}

/** Limits a condition to one row per visitor: the row marked `whole`. */
const visitors = ({ where, params }: Asked): Asked => ({ where: `${where} AND whole = 1`, params });

const starts = startTraits.join(", ");

/** Tells only the most frequent combinations of start traits apart, as in the database (`mostCombinations`). */
function toldApart({ table }: Copy, { where, params }: Asked, all: Asked): Asked {
  const frequent = `SELECT ${starts} FROM ${table} FINAL WHERE ${all.where} GROUP BY ${starts} ORDER BY count() DESC LIMIT ${mostCombinations}`;
  const own = startTraits.map((trait) => `s.${trait}`).join(", ");
  const told = unknownWhenRare.map((trait) => `if((${own}) IN (${frequent}), s.${trait}, '') AS ${trait}`).join(", ");
  const from = `(SELECT s.* EXCEPT (${unknownWhenRare.join(", ")}), ${told} FROM (SELECT * FROM ${table} FINAL WHERE ${where}) AS s) AS t`;
  return { from, where: "1", params: { ...params, ...all.params } };
}

const list = (columns: readonly string[]) => (columns.length === 0 ? "" : `, ${columns.join(", ")}`);

type Grouped = Readonly<Partial<Record<Trait, string>>>;
type Groups = Map<string, Part & { readonly values: Readonly<Record<Trait, string>> }>;

/** Visitors by traits, with their steps at the questions. */
async function groupsOf(copy: Copy, asked: Asked, by: readonly Trait[], steps: SumsQuery["steps"]): Promise<Groups> {
  const { clickhouse, table } = copy;
  const { from = `${table} AS t FINAL`, where, params } = asked;
  const nameOf = (row: Grouped) => by.map((trait) => row[trait] ?? "").join("\n");
  const totals = await clickhouse.rows<Grouped & { readonly visitors: number; readonly began: number; readonly purchases: number }>(
    `SELECT count() AS visitors, countIf(t.began = 1) AS began, countIf(t.bought = 1) AS purchases${list(by)}
      FROM ${from} WHERE ${where} GROUP BY ${by.length === 0 ? "()" : by.join(", ")}`,
    params,
  );
  const groups: Groups = new Map();
  for (const { visitors, began, purchases, ...values } of totals) {
    const tally = createTally(steps?.now ?? 0, steps?.only);
    if (steps !== undefined) tally.addTotals({ visitors, began, purchases });
    groups.set(nameOf(values), { visitors, tally, values: { ...anyTraits, ...values } });
  }
  if (steps !== undefined)
    for (const row of await stepsOf(copy, { from, where, params }, by, steps)) {
      const group = groups.get(nameOf(row));
      // A visitor who appears between the two queries is counted in neither.
      if (group !== undefined) addStep(group.tally, row);
    }
  return groups;
}

interface StepRow extends Grouped {
  readonly question: number;
  readonly wentOn: number;
  readonly left: number;
  readonly stillThere: number;
  readonly filled: readonly [bins: readonly number[], counts: readonly number[]];
  readonly chosen: readonly [options: readonly number[], counts: readonly number[]];
  readonly median?: number;
}

async function stepsOf(
  { clickhouse, table }: Copy,
  { from = `${table} AS t FINAL`, where, params }: Asked,
  by: readonly Trait[],
  { now, only, medians = false }: NonNullable<SumsQuery["steps"]>,
): Promise<readonly StepRow[]> {
  const isIdle = "{now:Int64} - last_at > {idle:Int64}";
  return clickhouse.rows<StepRow>(
    `SELECT question, countIf(question != stands_at) AS wentOn, countIf(question = stands_at AND ${isIdle}) AS left,
        countIf(question = stands_at AND NOT (${isIdle})) AS stillThere,
        sumMapIf([bin], [toUInt64(1)], bin != {none:Int32}) AS filled, sumMapIf([option], [toUInt64(1)], option != {none:Int32}) AS chosen
        ${medians ? ", quantileExactHighIf(0.5)(time, time != {none:Int32}) AS median" : ""}${list(by)}
      FROM ${from} ARRAY JOIN questions AS question, bins AS bin, times AS time, options AS option
      WHERE ${where}${only === undefined ? "" : " AND question = {only:Int32}"} GROUP BY ${["question", ...by].join(", ")}`,
    { ...params, now, idle: idleAfter, none, ...(only === undefined ? {} : { only }) },
  );
}

const pairs = ([keys, counts]: StepRow["filled"]) => keys.map((key, at) => [key, counts[at] ?? 0] as const);

function addStep(tally: Tally, { question, wentOn, left, stillThere, filled, chosen, median }: StepRow): void {
  const step = tally.stepOf(question);
  step.wentOn = wentOn;
  step.left = left;
  step.stillThere = stillThere;
  const bins = pairs(filled);
  step.addBinned(bins, median === undefined ? undefined : bins.length === 0 ? null : median / 1_000);
  for (const [optionId, count] of pairs(chosen)) step.addChosen(optionId, count);
}

/** The visitors who reached each milestone, by the slot of their start. */
async function slotsOf({ clickhouse, table }: Copy, { where, params }: Asked, wanted: SlotsQuery): Promise<Slots> {
  const { screens, from, ms } = wanted;
  const counts: Readonly<Record<(typeof milestones)[number], string>> = {
    visitors: "count()",
    began: "countIf(t.began = 1)",
    level: "countIf(hasAny(questions, {level:Array(Int32)}))",
    signedUp: "countIf(hasAny(questions, {signedUp:Array(Int32)}))",
    offers: "countIf(hasAny(questions, {offers:Array(Int32)}))",
    checkout: "countIf(hasAny(questions, {checkout:Array(Int32)}))",
    purchases: "countIf(t.bought = 1)",
  };
  const rows = await clickhouse.rows<Readonly<Record<(typeof milestones)[number] | "slot", number>>>(
    `SELECT intDiv(started_at - {slotsFrom:Int64}, {slotMs:Int64}) AS slot, ${milestones.map((name) => `${counts[name]} AS ${name}`).join(", ")}
      FROM ${table} AS t FINAL WHERE ${where} GROUP BY slot`,
    { ...params, ...screens, slotsFrom: from, slotMs: ms },
  );
  const slots = noSlots(wanted);
  for (const { slot, ...reached } of rows) for (const name of milestones) slots[name][slot] = reached[name];
  return slots;
}

interface VisitorRow extends Readonly<Record<Trait, string>> {
  readonly began_on: string;
  readonly device: string;
  readonly started_at: number;
  readonly last_at: number;
  readonly steps: string;
  readonly bought: number;
}

function visitorOf({ device, started_at, last_at, steps, bought, came, ...started }: VisitorRow): Omit<Visitor, "visitor"> {
  const known = (value: string) => (value === "" ? null : value);
  return {
    device,
    journey: decodeJourney({ started_at, last_at, steps }),
    bought: bought === 1,
    came: came === "returning" ? "returning" : "new",
    consent: known(started.consent),
    release: known(started.release),
    locale: known(started.locale),
    country: known(started.country),
    platform: known(started.platform),
    campaign: known(started.campaign),
  };
}

export function journeysIn(copy: Copy): Journeys {
  const { clickhouse, table } = copy;
  return {
    async *visitors(filter, _asked, standing) {
      const { where, params } = visitors(conditionOf(filter, [{ from: filter.from, to: filter.to }]));
      const stands = standing === undefined ? "" : " AND stands_at = {standing:Int32}";
      let after = { startedAt: filter.from ?? Number.MIN_SAFE_INTEGER, device: "" };
      for (;;) {
        const rows: readonly VisitorRow[] = await clickhouse.rows<VisitorRow>(
          `SELECT began_on, device, started_at, last_at, journey AS steps, bought, ${traits.join(", ")} FROM ${table} FINAL
            WHERE ${where}${stands} AND (started_at, began_on) > ({afterStart:Int64}, {afterDevice:String})
            ORDER BY started_at, began_on LIMIT ${visitorsPerPage}`,
          { ...params, ...(standing === undefined ? {} : { standing }), afterStart: after.startedAt, afterDevice: after.device },
        );
        for (const row of rows) yield visitorOf(row);
        const last = rows.at(-1);
        if (last === undefined || rows.length < visitorsPerPage) return;
        after = { startedAt: last.started_at, device: last.began_on };
      }
    },

    async sums(filter, spans, { by = [], steps, slots: wanted }) {
      const nobody = { visitors: 0, tally: createTally(steps?.now ?? 0, steps?.only) };
      if (spans.length === 0) return { whole: nobody, parts: [], slots: noSlots(wanted) };
      const asked = visitors(conditionOf(filter, spans));
      const [whole, parts, slots] = await Promise.all([
        groupsOf(copy, asked, [], steps),
        by.length === 0
          ? null
          : groupsOf(copy, canBeMadeUp(by) ? toldApart(copy, asked, conditionOf({ version: filter.version }, spans)) : asked, by, steps),
        wanted === undefined ? noSlots(wanted) : slotsOf(copy, asked, wanted),
      ]);
      return {
        whole: whole.get("") ?? nobody,
        parts: parts === null ? [] : [...parts.values()],
        slots,
      };
    },

    async startedIn(version, span) {
      // Every device of a visitor counts here, as in the database.
      const { where, params } = conditionOf({ version }, [span]);
      const counted = <T>(by: string) =>
        clickhouse.rows<T>(
          `SELECT ${by}, count() AS visitors FROM ${table} FINAL WHERE ${where} GROUP BY ${by} ORDER BY visitors DESC LIMIT ${mostCombinations + 1}`,
          params,
        );
      const found = await counted<Started>(starts);
      return found.length > mostCombinations ? withRest(found.slice(0, mostCombinations), await counted("locale, platform")) : found;
    },
  };
}
