/**
 * Rows that wait for their next attempt until a stored time. When the clock is set back, a row can seem to wait longer than it ever should; such a
 * row is due now. The longest wait depends on the number of tries so far.
 */
import { sql } from "kysely";
import { aheadAtMostMs } from "./clock.ts";
import type { Database } from "./schema.ts";
import type { Store } from "./store.ts";

/** How many rows each write changes. */
const batch = 500;

/**
 * Makes rows due that wait longer than any process's clock allows.
 * @param longest the longest wait after each number of tries, ms; the first is for a row not yet tried, the last repeats
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
