/** Anonymizes events and journeys. The counts stay the same. */
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";

/** Devices per write. */
const batch = 20;

/**
 * Gives some of a visitor's devices new ids that lead to nobody, within the caller's write. Together they still count as one visitor, with the id
 * `standIn`. Returns the number of devices.
 */
export async function forgetVisits(queries: Queries, world: World, visitor: string, standIn: string): Promise<number> {
  // Changes nothing. It locks the devices before their journeys, as a batch of events does: otherwise each could wait for the other.
  const devices = await queries
    .updateTable("event_devices")
    .set(({ ref }) => ({ sequence: ref("sequence") }))
    .where("device_id", "in", ({ selectFrom }) =>
      selectFrom("event_devices").select("device_id").where("visitor", "=", visitor).limit(batch),
    )
    .returning("device_id")
    .execute();
  for (const { device_id: device } of devices) {
    const other = world.uuid();
    await queries.updateTable("client_errors").set({ device_id: null, version: null }).where("device_id", "=", device).execute();
    await queries.updateTable("journeys").set({ device_id: other }).where("device_id", "=", device).execute();
    await queries.updateTable("event_devices").set({ device_id: other, visitor: standIn }).where("device_id", "=", device).execute();
  }
  return devices.length;
}
