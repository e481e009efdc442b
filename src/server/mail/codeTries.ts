/**
 * The limit on tries of six-digit codes per account. It is kept in the database, so it holds across processes and restarts.
 * Each try has a chance of one in a million. With fifty wrong tries in thirty days, an attacker has at most 700 tries a year
 * (14 periods), and so succeeds with a probability below 1 in 1,000 (decision 046).
 */
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";

const day = 24 * 60 * 60 * 1_000;
export const codeBudgets = [
  { days: 1, tries: 5 },
  { days: 30, tries: 50 },
] as const;

export interface Tries {
  readonly accountUuid: string;
  /** Known devices have a budget of their own, which strangers cannot use up. */
  readonly byKnownDevice: boolean;
}

const periodOf = (world: World, days: number) => Math.floor(world.now() / (days * day));

/** Counts a try in the caller's transaction before the code is compared; false when none is left. */
export async function takeTry(queries: Queries, world: World, { accountUuid, byKnownDevice }: Tries): Promise<boolean> {
  for (const { days, tries } of codeBudgets) {
    const period = periodOf(world, days);
    const counted = await queries
      .insertInto("login_code_tries")
      .values({
        account_uuid: accountUuid,
        by_known_device: byKnownDevice ? 1 : 0,
        days,
        period,
        tries: 1,
        expires_at: (period + 1) * days * day,
      })
      .onConflict((conflict) =>
        conflict
          .columns(["account_uuid", "by_known_device", "days", "period"])
          .doUpdateSet((fields) => ({ tries: fields("login_code_tries.tries", "+", 1) }))
          .where("login_code_tries.tries", "<", tries),
      )
      .returning("tries")
      .executeTakeFirst();
    if (!counted) return false;
  }
  return true;
}

/** Returns a try whose code was right. */
export async function giveTryBack(queries: Queries, world: World, { accountUuid, byKnownDevice }: Tries): Promise<void> {
  for (const { days } of codeBudgets)
    await queries
      .updateTable("login_code_tries")
      .set((fields) => ({ tries: fields("tries", "-", 1) }))
      .where("account_uuid", "=", accountUuid)
      .where("by_known_device", "=", byKnownDevice ? 1 : 0)
      .where("days", "=", days)
      .where("period", "=", periodOf(world, days))
      .execute();
}

/** Whether any try is left. Without any, a mail carries only its link and no code. */
export async function hasTries(queries: Queries, world: World, { accountUuid, byKnownDevice }: Tries): Promise<boolean> {
  const spent = await queries
    .selectFrom("login_code_tries")
    .select("days")
    .where("account_uuid", "=", accountUuid)
    .where("by_known_device", "=", byKnownDevice ? 1 : 0)
    .where((fields) =>
      fields.or(
        codeBudgets.map(({ days, tries }) =>
          fields.and([fields("days", "=", days), fields("period", "=", periodOf(world, days)), fields("tries", ">=", tries)]),
        ),
      ),
    )
    .executeTakeFirst();
  return spent === undefined;
}
