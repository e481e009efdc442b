/** Leases: one process at a time does a task. When its holder is killed, a lease expires. */
import type { World } from "../base/world.ts";
import { aheadAtMostMs } from "./clock.ts";
import type { Queries } from "./schema.ts";
import type { Store } from "./store.ts";

export interface Lease {
  /** Renews the lease and returns whether it is still held. Call it within the write that must not happen without the lease. */
  readonly renew: (queries: Queries) => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/** Takes the lease. Null while another process holds it. */
export async function takeLease(
  { store, world }: { readonly store: Store; readonly world: Pick<World, "now" | "uuid"> },
  task: string,
  forMs: number,
): Promise<Lease | null> {
  const holder = world.uuid();
  const now = world.now();
  const taken = await store.write((queries) =>
    queries
      .insertInto("task_leases")
      .values({ task, holder, expires_at: now + forMs })
      .onConflict((conflict) =>
        conflict
          .column("task")
          .doUpdateSet({ holder, expires_at: now + forMs })
          // A lease that ends later than one taken now was taken before the clock was set back.
          .where((row) =>
            row.or([row("task_leases.expires_at", "<=", now), row("task_leases.expires_at", ">", now + forMs + aheadAtMostMs)]),
          ),
      )
      .returning("holder")
      .executeTakeFirst(),
  );
  if (taken === undefined) return null;
  return {
    renew: async (queries) => {
      const { numUpdatedRows } = await queries
        .updateTable("task_leases")
        .set({ expires_at: world.now() + forMs })
        .where("task", "=", task)
        .where("holder", "=", holder)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    release: async () => {
      await store.write((queries) => queries.deleteFrom("task_leases").where("task", "=", task).where("holder", "=", holder).execute());
    },
  };
}
