/** Reads rows in pages, in the order of their ids. Rows that a caller leaves unchanged do not block later ones. */

const rowsAtOnce = 50;

/** @param read returns at most `limit` rows whose id is greater than `after`, in the order of their ids */
export async function* inPages<Row extends { readonly id: string }>(
  read: (after: string, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let after = ""; ;) {
    const rows = await read(after, rowsAtOnce);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    after = last.id;
  }
}
