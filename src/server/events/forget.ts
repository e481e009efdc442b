/** Takes persons out of what is made of events; the counts stay. */
import type { World } from "../parts.ts";
import type { Queries } from "../store/schema.ts";

/** Gives the devices of a visitor names that lead to nobody, within the caller's write; they still count as one visitor. */
export async function forgetVisitor(queries: Queries, world: World, visitor: string): Promise<void> {
  const devices = await queries.selectFrom("event_devices").select("device_id").where("visitor", "=", visitor).execute();
  const nobody = world.uuid();
  for (const { device_id: device } of devices) {
    const other = world.uuid();
    await queries.updateTable("journeys").set({ device_id: other }).where("device_id", "=", device).execute();
    await queries.updateTable("event_devices").set({ device_id: other, visitor: nobody }).where("device_id", "=", device).execute();
  }
}
