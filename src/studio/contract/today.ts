/** Calls of the Today screen. */
import { locales } from "#core/locales.ts";
import * as v from "valibot";
import type { StudioCalls } from "./call.ts";

export const stages = ["visitors", "began", "level", "signedUp", "offers", "checkout", "purchases"] as const;
export const sales = ["trials", "bought", "converted", "renewed"] as const;

/** The same number on this weekday in each of the last eight weeks, up to this hour; oldest first. */
const usual = v.array(v.number());
const todaySchema = v.object({
  countedAt: v.number(),
  onSite: v.array(v.object({ locale: v.nullable(v.picklist(locales)), visitors: v.number() })),
  /** Since midnight UTC. */
  funnel: v.array(v.object({ stage: v.picklist(stages), now: v.number(), usual })),
  /** Net proceeds in minor units of the reporting currency. */
  proceeds: v.object({
    currency: v.string(),
    ratesDay: v.nullable(v.string()),
    /** Currencies without a known rate; no sum here includes them. */
    withoutRate: v.array(v.string()),
    payments: v.number(),
    refunds: v.number(),
    /** Cumulative from midnight to the end of each hour; the last value is up to now. */
    now: v.array(v.number()),
    usual: v.array(v.array(v.number())),
  }),
  sales: v.array(v.object({ sale: v.picklist(sales), now: v.number(), usual })),
  /** By version, since midnight. */
  versions: v.array(v.object({ version: v.string(), visitors: v.number(), purchases: v.number() })),
  /** Problems that need a person, each with the screen that handles it. */
  attention: v.array(v.object({ title: v.string(), says: v.string(), since: v.nullable(v.number()), path: v.string() })),
  /** The latest changes of weights, newest first. */
  rollouts: v.array(
    v.object({
      locale: v.picklist(locales),
      number: v.number(),
      weights: v.record(v.string(), v.number()),
      by: v.nullable(v.string()),
      reason: v.string(),
      at: v.number(),
    }),
  ),
});

export const todayCalls = {
  today: { method: "GET", role: "viewer", input: v.object({}), output: todaySchema, errors: [] },
  /** The same data as a stream: now, and after every change. */
  todayLive: { method: "GET", role: "viewer", input: v.object({}), output: todaySchema, events: true, errors: [] },
} as const satisfies StudioCalls;
