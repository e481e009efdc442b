/**
 * Rows that wait for their time. The clock may go back: what then waits longer than it ever should was put off before that, and is due.
 * Waits are counted from now, each by how often the row was tried.
 */
import { sql } from "kysely";
import { aheadAtMostMs } from "./clock.ts";
import type { Database } from "./schema.ts";
import type { Store } from "./store.ts";

/** Rows a write. */
const batch = 500;

/**
 * Makes due what waits longer than it may by any process's clock.
 * @param longest the longest wait after so many tries, ms: of a row that was not tried yet first; the last one repeats
 */
export async function endLongWaits(
  store: Store,
  now: number,
  table: "mail_outbox" | "payment_duties" | "conversions" | "erasures" | "alert_deliveries" | "contract_notices",
  longest: readonly [number, ...number[]],
): Promise<void> {
  const at = (wait: number | undefined) => sql`CAST(${now + (wait ?? 0) + aheadAtMostMs} AS BIGINT)`;
  const cases = longest.slice(0, -1).map((wait, attempts) => sql`WHEN attempts = ${sql.lit(attempts)} THEN ${at(wait)}`);
  const latest = cases.length === 0 ? at(longest.at(-1)) : sql`CASE ${sql.join(cases, sql` `)} ELSE ${at(longest.at(-1))} END`;
  const tooLate = sql`next_attempt_at > ${now} AND next_attempt_at > ${latest}`;
  const { rows } = await sql<
    Pick<Database["erasures"], "next_attempt_at">
  >`SELECT next_attempt_at FROM ${sql.table(table)} WHERE ${tooLate} LIMIT ${sql.lit(batch)}`.execute(store.read);
  const times = [...new Set(rows.map(({ next_attempt_at: at }) => at))];
  if (times.length === 0) return;
  await store.write((queries) =>
    sql`UPDATE ${sql.table(table)} SET next_attempt_at = ${now} WHERE next_attempt_at IN (${sql.join(times)}) AND ${tooLate}`.execute(
      queries,
    ),
  );
}
