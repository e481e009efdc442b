/** `npm run paddle -- mismatches`, `-- settled <transaction>` and `-- accepted <transaction>`: payments that differ from their order. */
import { formatsFor } from "#core/formats.ts";
import { readEnv } from "#server/env.ts";
import { acceptMismatch, listMismatches, settleMismatch } from "#server/payments/mismatches.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import type { Store } from "#server/store/store.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Runs `work` on the configured database. */
export async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = readEnv(process.env);
  const file = join(dataDir, "parlando.sqlite");
  if (databaseUrl === null && !existsSync(file)) throw new Error(`There is no database ${file} yet: start the site once, or set DATA_DIR.`);
  const store = databaseUrl === null ? openSqlite(file) : openPostgres(databaseUrl, (error) => console.error(error.message));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Prints one line per payment. @returns their number. */
export async function printMismatches(): Promise<number> {
  const rows = await inStore(listMismatches);
  const { money } = formatsFor("en-US");
  for (const row of rows) {
    const paid = row.currency === null ? String(row.total) : money(row.total, row.currency);
    console.log(
      [
        new Date(row.noted_at).toISOString(),
        `${row.payment_provider} ${row.transaction_id}`,
        `paid ${paid}`,
        `for ${row.product_id} at ${money(row.price, row.ordered_currency)}`,
        `order ${row.order_id}`,
        row.email ?? "account erased",
      ].join(" · "),
    );
  }
  return rows.length;
}

export const settle = (transactionId: string): Promise<boolean> => inStore((store) => settleMismatch(store, Date.now(), transactionId));

export const accept = (transactionId: string): Promise<boolean> => inStore((store) => acceptMismatch(store, Date.now(), transactionId));
