/** Deletes replaced and erased rows from ClickHouse's disk, so that erased visitors are not only hidden. */
import type { World } from "../../base/world.ts";
import type { Lease } from "../../store/lease.ts";
import type { Store } from "../../store/store.ts";
import { dayMs } from "../funnelDays.ts";
import type { ClickHouse } from "./client.ts";
import { tableOf } from "./table.ts";

/** Rows' keys per statement. Each statement rewrites parts of the table. */
const placesAtOnce = 1_000;

/**
 * Runs once a day. It deletes only up to the edition of a day ago, because no process can still be writing that one. Journeys are deleted first,
 * then the rows that hide them. Rows whose retention period has ended are deleted by the table itself.
 */
export async function removeReplaced(
  { store, world, clickhouse }: { readonly store: Store; readonly world: World; readonly clickhouse: ClickHouse },
  lease: Lease,
): Promise<void> {
  const state = await store.read.selectFrom("journey_copy").select(["copy_name", "edition", "settled", "settled_at"]).executeTakeFirst();
  if (state === undefined || world.now() - state.settled_at < dayMs) return;
  const { edition, settled } = state;
  const table = tableOf(state.copy_name);
  for (;;) {
    const held = await store.write((queries) => lease.renew(queries));
    if (!held) return;
    const places = await clickhouse.rows<{ readonly place: string }>(
      `SELECT concat(version, ' ', toString(day), ' ', began_on) AS place FROM ${table}
        WHERE (version, day, began_on) IN (SELECT version, day, began_on FROM ${table} WHERE gone = 1 AND edition <= {settled:UInt64})
        GROUP BY version, day, began_on
        HAVING argMax(gone, edition) = 1 AND max(edition) <= {settled:UInt64}
          AND maxIf(kept_until, gone = 0) > toDateTime({soon:UInt32})
        LIMIT ${placesAtOnce}`,
      { settled, soon: Math.floor((world.now() + 8 * dayMs) / 1_000) },
    );
    if (places.length === 0) break;
    for (const gone of [0, 1])
      await clickhouse.run(
        `ALTER TABLE ${table} DELETE WHERE gone = {gone:UInt8} AND edition <= {settled:UInt64}
          AND concat(version, ' ', toString(day), ' ', began_on) IN {places:Array(String)} SETTINGS mutations_sync = 2`,
        { gone, settled, places: places.map(({ place }) => place) },
      );
  }
  await store.write(async (queries) => {
    if (await lease.renew(queries)) await queries.updateTable("journey_copy").set({ settled: edition, settled_at: world.now() }).execute();
  });
}
