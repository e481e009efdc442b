/** Converts a filter from the address to the queries' form. */
import type { VisitorFilter } from "../../events/visitors.ts";

const dayMs = 86_400_000;
/** Stands for an unknown value in addresses. */
export const unknownValue = "-";

export interface FilterInAddress {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly release?: readonly string[] | undefined;
  readonly locale?: readonly string[] | undefined;
  readonly country?: readonly string[] | undefined;
  readonly platform?: readonly string[] | undefined;
  readonly campaign?: readonly string[] | undefined;
  readonly came?: readonly string[] | undefined;
  readonly consent?: readonly string[] | undefined;
}

export function visitorFilter(version: string, { from, to, ...traits }: FilterInAddress): VisitorFilter {
  const known = (values: readonly string[] | undefined) => values?.map((value) => (value === unknownValue ? "" : value));
  return {
    version,
    from: from === undefined ? undefined : Date.parse(from),
    // The last day is inclusive.
    to: to === undefined ? undefined : Date.parse(to) + dayMs,
    release: known(traits.release),
    locale: known(traits.locale),
    country: known(traits.country),
    platform: known(traits.platform),
    campaign: known(traits.campaign),
    came: traits.came,
    consent: known(traits.consent),
  };
}
