/** Reads rows a page at a time, in the order of their ids: rows that stay as they are do not keep later ones from being looked at. */

const rowsAtOnce = 50;

/** @param read the rows whose id comes after one, so many of them, in the order of their ids */
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
