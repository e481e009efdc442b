/** Reads many rows in pages, and lets all other waiting work run between them. */
import { setImmediate as nextTurn } from "node:timers/promises";

const rowsAtOnce = 50;

/** @param read returns at most `limit` rows that follow `last` in an order that an index has; the first page follows null */
export async function* inPages<Row>(read: (last: Row | null, limit: number) => Promise<readonly Row[]>): AsyncGenerator<Row> {
  for (let last: Row | null = null; ;) {
    const rows: readonly Row[] = await read(last, rowsAtOnce);
    yield* rows;
    last = rows.at(-1) ?? null;
    if (rows.length < rowsAtOnce) return;
    await nextTurn();
  }
}
