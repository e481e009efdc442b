import { encodeJourney, newJourney } from "#server/events/journey.ts";
import type { Store } from "#server/store/store.ts";

/** Rows per insert. */
const atOnce = 500;
const springVisits = 20;

/** Stores visits to version 76 from `startedAt` on: twenty of the campaign “spring”, and `madeUp` others, each with a campaign of its own. Returns their number. */
export async function storeCampaigns(store: Store, newId: () => string, startedAt: number, madeUp: number): Promise<number> {
  const campaigns = [...Array.from({ length: madeUp }, (_, n) => `made up ${n}`), ...Array.from({ length: springVisits }, () => "spring")];
  const rows = campaigns.map((campaign, n) => ({
    device_id: newId(),
    version: "76",
    started_at: startedAt + n,
    last_at: startedAt + n,
    locale: "de-DE",
    country: "DE",
    platform: "apple",
    campaign,
    steps: encodeJourney(newJourney(startedAt + n)),
  }));
  for (let at = 0; at < rows.length; at += atOnce)
    await store.write((queries) =>
      queries
        .insertInto("journeys")
        .values(rows.slice(at, at + atOnce))
        .execute(),
    );
  return rows.length;
}
