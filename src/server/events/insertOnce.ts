/**
 * Inserts events whose ids are new. On PostgreSQL, an id is unique only within a month's partition (months.ts). So the other months that may have the event
 * are searched, too.
 *
 * That is not enough at a month's end: two copies of an event, inserted at the same time into two months, would not see each other. So in the first minutes of
 * a month, events are first inserted into the month before, where the second copy waits for the first. Then they are moved (decision 204).
 */
import { timeOfId } from "#core/timeOrderedId.ts";
import type { Insertable } from "kysely";
import type { EventsTable } from "../store/eventTables.ts";
import type { Queries } from "../store/schema.ts";
import { monthOf } from "./months.ts";

/** Longer than writing a batch takes, plus the difference between processes' clocks, ms. */
const underwayMs = 5 * 60_000;
/** How much a device's clock may have been corrected since it made an id, ms. */
const correctedMs = 7 * 86_400_000;

interface Receipt {
  readonly receivedAt: number;
  /** How far the device's clock is ahead, ms. */
  readonly ahead: number;
}

/** The earliest time at which one of the ids may have been received before; 0 when an id does not tell its time. */
function earliestReceipt(ids: readonly string[], { receivedAt, ahead }: Receipt): number {
  const times = ids.map((id) => {
    const made = timeOfId(id);
    const madeAt = made === null ? Number.POSITIVE_INFINITY : made - Math.max(0, ahead);
    return madeAt > receivedAt + correctedMs ? 0 : Math.max(0, madeAt - correctedMs);
  });
  return Math.min(...times);
}

/**
 * Inserts rows in the order of their ids. Two batches with the same ids in different orders would wait for each other, until PostgreSQL ends one of them after a
 * second.
 * @returns the ids of new events
 */
export async function insertOnce(
  queries: Queries,
  rows: readonly Omit<Insertable<EventsTable>, "received_at">[],
  receipt: Receipt,
): Promise<ReadonlySet<string>> {
  const { receivedAt } = receipt;
  const month = monthOf(receivedAt);
  const meetsAt = receivedAt - month < underwayMs ? month - 1 : receivedAt;
  const inserted = await queries
    .insertInto("events")
    .values(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => ({ ...row, received_at: meetsAt })))
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .execute();
  const ids = inserted.map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const since = earliestReceipt(ids, receipt);
  const isAtEnd = meetsAt !== receivedAt || monthOf(receivedAt + underwayMs) !== month;
  if (since >= month && !isAtEnd) return new Set(ids);

  const [from, to] = [monthOf(meetsAt), monthOf(meetsAt, 1)];
  const elsewhere = await queries
    .selectFrom("events")
    .select("id")
    .where("id", "in", ids)
    .where(({ eb, or, and }) => or([and([eb("received_at", ">=", since), eb("received_at", "<", from)]), eb("received_at", ">=", to)]))
    .execute();
  const known = new Set(elsewhere.map(({ id }) => id));
  const added = ids.filter((id) => !known.has(id));
  if (known.size > 0)
    await queries
      .deleteFrom("events")
      .where("id", "in", [...known])
      .where("received_at", "=", meetsAt)
      .execute();
  if (meetsAt !== receivedAt && added.length > 0)
    await queries
      .updateTable("events")
      .set({ received_at: receivedAt })
      .where("id", "in", added)
      .where("received_at", "=", meetsAt)
      .execute();
  return new Set(added);
}
