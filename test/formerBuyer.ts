/** For tests: a former buyer, whose paid plan has ended. */
import type { World } from "#server/base/world.ts";
import type { Store } from "#server/store/store.ts";

/** Gives an account a fully paid month that has ended. */
export async function paidBefore(store: Store, world: Pick<World, "now" | "uuid">, accountUuid: string): Promise<void> {
  const id = world.uuid();
  const [at, end] = [world.now() - 60 * 86_400_000, world.now() - 30 * 86_400_000];
  await store.write(async (queries) => {
    await queries
      .insertInto("orders")
      .values({
        id,
        account_uuid: accountUuid,
        product_id: "subscription-1m-mxn",
        product_type: "subscription",
        product_plan: "1M",
        trial_days: 0,
        price_id: "pri",
        quantity: 1,
        currency: "MXN",
        price: 34_900,
        payment_provider: "paddlebilling",
        status: "completed",
        transaction_id: `txn_${id}`,
        created_at: at,
        updated_at: at,
      })
      .execute();
    await queries
      .insertInto("entitlements")
      .values({ order_id: id, account_uuid: accountUuid, status: "deleted", ends_at: end, created_at: at, updated_at: end })
      .execute();
    await queries
      .insertInto("money_entries")
      .values({
        payment_provider: "paddlebilling",
        id: `txn_${id}`,
        kind: "payment",
        transaction_id: `txn_${id}`,
        subscription_id: null,
        order_id: id,
        for_period: 1,
        at,
        day: new Date(at).toISOString().slice(0, 10),
        currency: "MXN",
        gross: 34_900,
        tax: 0,
        fee: null,
        period_end: end,
      })
      .execute();
  });
}
