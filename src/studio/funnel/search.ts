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
  /** The screen whose panel is open. */
  screen: text,
});
export type FunnelSearch = v.InferOutput<typeof funnelSearch>;
export const traits = ["locale", "country", "platform", "campaign"] as const;
