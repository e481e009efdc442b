/** What the address of this screen carries: its filters and what is open. All of it is optional; arrays stand as `a,b`. */
import * as v from "valibot";

const text = v.fallback(v.optional(v.string()), undefined);
const day = v.fallback(v.optional(v.pipe(v.string(), v.isoDate())), undefined);

export const funnelSearch = v.object({
  version: text,
  beside: text,
  from: day,
  to: day,
  locale: text,
  country: text,
  platform: text,
  campaign: text,
  came: text,
  consent: text,
  /** The screen whose panel is open. */
  screen: text,
});
export type FunnelSearch = v.InferOutput<typeof funnelSearch>;

/** Of the visits behind a screen's number: the same filters, and which one is watched. */
export const visitsSearch = v.object({
  ...funnelSearch.entries,
  visit: text,
  /** Which of its screens shows, from 0. */
  at: text,
});
export type VisitsSearch = v.InferOutput<typeof visitsSearch>;
