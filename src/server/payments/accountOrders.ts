/** An account's orders, and what they entitle it to. */
import type { World } from "../base/world.ts";
import type { OrdersTable } from "../store/paymentTables.ts";
import { lockUnlessErased } from "../store/lockAccounts.ts";
import type { Queries } from "../store/schema.ts";
import { sql } from "kysely";
import { entitlementNow, type EntitlementState, entitlementStatusOf, isUsable, withEarlyEnd } from "./entitlement.ts";

/** Newest first. */
export const ordersOf = (queries: Queries, accountUuid: string) =>
  queries.selectFrom("orders").selectAll().where("account_uuid", "=", accountUuid).orderBy("created_at", "desc").orderBy("id");

export interface EntitledOrder {
  readonly order: OrdersTable;
  readonly state: EntitlementState;
  /** The amount that is paid back when the plan ends early, minor units (earlyEnds.ts). */
  readonly refundAtEnd: number | null;
}

/** Newest first. */
export async function entitledOrders(queries: Queries, world: World, accountUuid: string): Promise<readonly EntitledOrder[]> {
  const rows = await queries
    .selectFrom("entitlements")
    .innerJoin("orders", "orders.id", "entitlements.order_id")
    .leftJoin("contract_ends", "contract_ends.order_id", "orders.id")
    .selectAll("orders")
    .select(["entitlements.status as entitled", "entitlements.ends_at", "contract_ends.ends_at as early", "contract_ends.back"])
    .where("entitlements.account_uuid", "=", accountUuid)
    .orderBy("entitlements.created_at", "desc")
    .orderBy("orders.created_at", "desc")
    .execute();
  return rows.flatMap(({ entitled, ends_at: told, early, back, ...order }) => {
    const status = entitlementStatusOf(entitled);
    const state = status && entitlementNow({ status, end: withEarlyEnd(told, early) }, order.product_type, world.now());
    return state === null ? [] : [{ order, state, refundAtEnd: back }];
  });
}

/** The paid order behind the plan that the account can use now. */
export async function usableOrder(queries: Queries, world: World, accountUuid: string): Promise<OrdersTable | undefined> {
  return (await entitledOrders(queries, world, accountUuid)).find(({ state }) => isUsable(state))?.order;
}

/**
 * The order that the account has paid with another amount, while nobody has looked at the payment and its money is not returned: its buyer may still get the
 * plan (decision 086).
 */
export function checkedOrder(queries: Queries, accountUuid: string): Promise<OrdersTable | undefined> {
  return ordersOf(queries, accountUuid)
    .where("status", "=", "failed")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("payment_mismatches")
          .innerJoin("money_entries", (join) =>
            join
              .onRef("money_entries.payment_provider", "=", "payment_mismatches.payment_provider")
              .onRef("money_entries.transaction_id", "=", "payment_mismatches.transaction_id"),
          )
          .select("payment_mismatches.transaction_id")
          .whereRef("payment_mismatches.order_id", "=", "orders.id")
          .where("settled_at", "is", null)
          .groupBy("payment_mismatches.transaction_id")
          .having(sql<number>`sum(CASE WHEN kind IN ('payment', 'reversal') THEN gross ELSE -gross END)`, ">", 0),
      ),
    )
    .limit(1)
    .executeTakeFirst();
}

/**
 * Locks the account until the write ends. The ledger takes the same lock, so no process applies one of its payments meanwhile. Returns
 * whether the account has a usable plan, and whether it has been erased since the call began: neither gets a further checkout.
 */
export async function lockAccount(
  queries: Queries,
  world: World,
  accountUuid: string,
): Promise<{ readonly hasPlan: boolean; readonly erased: boolean }> {
  const erased = !(await lockUnlessErased(queries, accountUuid));
  return { hasPlan: (await usableOrder(queries, world, accountUuid)) !== undefined, erased };
}
