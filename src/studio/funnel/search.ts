/** Search parameters of this screen: filters and the open panel, all optional. Arrays are written `a,b`. */
import * as v from "valibot";
import { inWords } from "../parts/formats.ts";

const text = v.fallback(v.optional(v.string()), undefined);
const day = v.fallback(v.optional(v.pipe(v.string(), v.isoDate())), undefined);

export const funnelSearch = v.object({
  version: text,
  beside: text,
  besideFrom: day,
  besideTo: day,
  besideRelease: text,
  from: day,
  to: day,
  release: text,
  locale: text,
  country: text,
  platform: text,
  campaign: text,
  came: text,
  consent: text,
  /** Id of the screen whose panel is open. */
  screen: text,
});
export type FunnelSearch = v.InferOutput<typeof funnelSearch>;

/** The filter without the parameters of the comparison. */
export function ownFilter<T extends Partial<FunnelSearch>>({
  beside: _beside,
  besideFrom: _from,
  besideTo: _to,
  besideRelease: _release,
  ...filter
}: T) {
  return filter;
}

/** Labels of the two compared sides: their versions, or within one version their releases or days. */
export function sidesOf(version: string, search: FunnelSearch, nameOf: (release: string) => string) {
  const { beside = version, from, to, release, besideFrom, besideTo, besideRelease } = search;
  if (beside !== version) return { here: version, beside };
  if (besideRelease !== undefined) return { here: releases(release, nameOf), beside: releases(besideRelease, nameOf) };
  return { here: days(from, to), beside: days(besideFrom, besideTo) };
}

function releases(asked: string | undefined, nameOf: (release: string) => string): string {
  return asked === undefined ? "all releases" : asked.split(",").map(nameOf).join(", ");
}

function days(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return to === undefined ? "all days" : `until ${inWords.day(to)}`;
  return to === undefined ? `since ${inWords.day(from)}` : `${inWords.day(from)} – ${inWords.day(to)}`;
}

/** Search parameters of the visits behind a number: the funnel's filters and the visit that is replayed. */
export const visitsSearch = v.object({
  ...funnelSearch.entries,
  visit: text,
  /** Index of the replayed screen, from 0. */
  at: text,
});
export type VisitsSearch = v.InferOutput<typeof visitsSearch>;
