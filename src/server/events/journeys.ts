/** The interface for counting journeys, in the database or in their copy in ClickHouse (`clickhouse/`). Both give the same numbers. */
import type { Queries } from "../store/schema.ts";
import type { Slots, Span } from "./funnelDays.ts";
import { anyTraits } from "./funnelHours.ts";
import { type Milestone, milestones, type MilestoneScreens, reached } from "./milestones.ts";
import { createTally, type Tally } from "./tally.ts";
import { type StartTrait, startTraits, type Trait, type Visitor, type VisitorFilter, visitorPages, visitorsOf } from "./visitors.ts";

/**
 * The most combinations of start traits that a count tells apart in a span. Events can name any release, country and campaign, so a stranger can make up
 * a combination for each visit: 400,000 in a day took 1.3 GB to count, and the filters of the funnel a minute.
 */
export const mostCombinations = 2_000;
/** The start traits that count as unknown for visitors with a rarer combination. */
export const unknownWhenRare = ["release", "country", "campaign"] as const satisfies readonly StartTrait[];
const unknownStart = { release: null, country: null, campaign: null } as const satisfies Record<(typeof unknownWhenRare)[number], null>;
/** Whether strangers can make up any number of combinations of these traits. */
export const canBeMadeUp = (by: readonly Trait[]): boolean => by.includes("release") || by.includes("campaign");

/** The sums requested. */
export interface SumsQuery {
  /** The traits by whose values the sums are split. */
  readonly by?: readonly Trait[];
  /** Counts the steps at all questions, or at one, until `now`. */
  readonly steps?: {
    readonly now: number;
    readonly only?: number;
    /** Whether exact medians are needed. */
    readonly medians?: boolean;
  };
  /** Counts the milestones of all matching visitors, by slot. */
  readonly slots?: SlotsQuery;
}
export interface SlotsQuery {
  readonly screens: MilestoneScreens;
  /** The span in which all visitors started. It is divided into slots of `ms`. */
  readonly from: number;
  readonly to: number;
  readonly ms: number;
}

export type SumsFilter = Omit<VisitorFilter, "from" | "to">;

export interface Part {
  readonly visitors: number;
  /** Empty unless steps were requested. */
  readonly tally: Tally;
}

export interface Sums {
  readonly whole: Part;
  /** "" stands for unknown values, and for traits that were not requested. */
  readonly parts: readonly (Part & { readonly values: Readonly<Record<Trait, string>> })[];
  /** Empty unless requested. */
  readonly slots: Slots;
}

export interface Journeys {
  /**
   * Single visitors, with the traits that are asked for.
   * @param standing the question that the caller needs. Visitors who stand at another one may be missing, where that is faster
   */
  readonly visitors: (filter: VisitorFilter, asked: readonly Trait[], standing?: number) => AsyncIterable<Omit<Visitor, "visitor">>;
  /** All visitors who started in one of the spans. */
  readonly sums: (filter: SumsFilter, spans: readonly Span[], query: SumsQuery) => Promise<Sums>;
  /** Devices that started in a span, by the traits of their start. */
  readonly startedIn: (version: string, span: Span) => Promise<readonly Started[]>;
}

export type Started = Readonly<Record<StartTrait, string>> & { readonly visitors: number };

/** The sources of a count. */
export interface Reading {
  readonly queries: Queries;
  readonly journeys: Journeys;
}

/** Zero for each milestone, in as many slots as the span has. */
export function noSlots(query: SlotsQuery | undefined): Record<Milestone, number[]> {
  const count = query === undefined ? 0 : Math.ceil((query.to - query.from) / query.ms);
  return Object.fromEntries(milestones.map((name) => [name, Array.from({ length: count }, () => 0)])) as Record<Milestone, number[]>;
}

export const inDatabase = (queries: Queries): Reading => ({ queries, journeys: journeysIn(queries) });

export function journeysIn(queries: Queries): Journeys {
  return {
    visitors: (filter, asked) => visitorsOf(queries, filter, asked),
    sums: (filter, spans, query) => sumsOf(queries, filter, spans, query),
    startedIn: (version, span) => startedIn(queries, version, span),
  };
}

async function sumsOf(queries: Queries, filter: SumsFilter, spans: readonly Span[], query: SumsQuery): Promise<Sums> {
  const { by = [], steps, slots: wanted } = query;
  const newTally = () => createTally(steps?.now ?? 0, steps?.only);
  const parts = new Map<string, { visitors: number; readonly tally: Tally; readonly values: Readonly<Record<Trait, string>> }>();
  const slots = noSlots(wanted);
  const partOf = (visitor: Visitor) => {
    const key = by.map((trait) => visitor[trait] ?? "").join("\n");
    let part = parts.get(key);
    if (part === undefined) {
      const named = Object.fromEntries(by.map((trait) => [trait, visitor[trait] ?? ""]));
      parts.set(key, (part = { visitors: 0, tally: newTally(), values: { ...anyTraits, ...named } }));
    }
    return part;
  };
  const add = (visitor: Visitor) => {
    const { journey, bought } = visitor;
    const part = partOf(visitor);
    part.visitors += 1;
    if (steps !== undefined) part.tally.add(journey, bought);
    if (wanted === undefined) return;
    const slot = Math.floor((journey.startedAt - wanted.from) / wanted.ms);
    for (const name of milestones) if (reached(name, visitor, wanted.screens)) slots[name][slot] = (slots[name][slot] ?? 0) + 1;
  };
  for (const span of spans) {
    const told = canBeMadeUp(by) ? await toldApart(queries, filter.version, span) : null;
    for await (const page of visitorPages(queries, { ...filter, ...span }, by))
      for (const visitor of page) add(told === null || told.has(startOf(visitor)) ? visitor : { ...visitor, ...unknownStart });
  }
  const each = [...parts.values()];
  return {
    // Computed on demand, because few callers need both it and the parts.
    get whole() {
      const [only] = each;
      if (only !== undefined && each.length === 1) return only;
      const tally = newTally();
      for (const part of each) tally.addTally(part.tally);
      return { visitors: each.reduce((sum, { visitors }) => sum + visitors, 0), tally };
    },
    parts: by.length === 0 ? [] : each,
    slots,
  };
}

const devicesIn = (queries: Queries, version: string, { from, to }: Span) =>
  queries
    .selectFrom("journeys")
    .select(({ fn }) => fn.countAll().as("visitors"))
    .where("version", "=", version)
    .$if(from !== undefined, (some) => some.where("started_at", ">=", from ?? 0))
    .$if(to !== undefined, (some) => some.where("started_at", "<", to ?? 0));

/** The most frequent combinations of start traits, and one more if there are more. */
const frequentStarts = (queries: Queries, version: string, span: Span) =>
  devicesIn(queries, version, span)
    .select(startTraits)
    .groupBy(startTraits)
    .orderBy("visitors", "desc")
    .limit(mostCombinations + 1)
    .execute();

const startOf = (start: Readonly<Record<StartTrait, string | null>>): string => startTraits.map((trait) => start[trait] ?? "").join("\n");

/** The combinations that are told apart; null when these are all. */
async function toldApart(queries: Queries, version: string, span: Span): Promise<ReadonlySet<string> | null> {
  const starts = await frequentStarts(queries, version, span);
  return starts.length > mostCombinations ? new Set(starts.slice(0, mostCombinations).map(startOf)) : null;
}

async function startedIn(queries: Queries, version: string, span: Span): Promise<readonly Started[]> {
  const starts = await frequentStarts(queries, version, span);
  const told = starts.slice(0, mostCombinations).map(({ visitors, ...values }): Started => ({
    ...(Object.fromEntries(startTraits.map((trait) => [trait, values[trait] ?? ""])) as Record<StartTrait, string>),
    visitors: Number(visitors),
  }));
  if (starts.length <= mostCombinations) return told;
  const all = await devicesIn(queries, version, span).select(["locale", "platform"]).groupBy(["locale", "platform"]).execute();
  return withRest(
    told,
    all.map(({ locale, platform, visitors }) => ({ locale: locale ?? "", platform: platform ?? "", visitors: Number(visitors) })),
  );
}

/** The combinations that are told apart, and the visitors with all others. @param all those with any combination */
export function withRest(
  told: readonly Started[],
  all: readonly { readonly locale: string; readonly platform: string; readonly visitors: number }[],
): readonly Started[] {
  const rest = all.map(({ locale, platform, visitors }) => {
    const own = told.filter((start) => start.locale === locale && start.platform === platform);
    return {
      release: "",
      country: "",
      campaign: "",
      locale,
      platform,
      visitors: own.reduce((left, start) => left - start.visitors, visitors),
    };
  });
  return [...told, ...rest.filter(({ visitors }) => visitors > 0)];
}
