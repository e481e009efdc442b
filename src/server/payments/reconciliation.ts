/** Every minute: asks the providers about orders without news, and carries out what is due. */
import { sql } from "kysely";
import type { OrdersTable } from "../store/paymentTables.ts";
import { ask, claimAsking } from "./askProvider.ts";
import { endContracts } from "./carryOut.ts";
import type { PaymentsWorld } from "./paymentsWorld.ts";
import { remindOfCharges } from "./reminders.ts";
import { remindOfRenewals } from "./renewalReminders.ts";
import { applyStored } from "./webhooks.ts";

const minuteMs = 60_000;
export const reconcileEveryMs = minuteMs;
const batch = 50;
/** Nobody pays a checkout that is this old. */
const forgottenMs = 4 * 24 * 60 * minuteMs;
/** A provider that had any news of a renewal would have told it by then. */
const silentMs = 90 * 24 * 60 * minuteMs;

export async function reconcile(payments: PaymentsWorld): Promise<void> {
  const { store, world, channels, background, onMail } = payments;
  await applyStored(payments);
  for (const { ledger } of channels) await ledger.applyAccepted();
  const now = world.now();
  for (const order of [...(await waitingOrders(payments, now)), ...(await silentOrders(payments, now))])
    if (!background.stopped() && (await claimAsking(payments, order))) await ask(payments, order);
  await endContracts(payments);
  const trialsToldOf = !background.stopped() && (await remindOfCharges(store, world));
  const renewalsToldOf = !background.stopped() && (await remindOfRenewals(store, world));
  if (trialsToldOf || renewalsToldOf) onMail();
}

/** Open orders that have a checkout. Anybody can have some, so an index alone chooses them: `orders_waiting`. */
function waitingOrders({ store }: PaymentsWorld, now: number): Promise<readonly OrdersTable[]> {
  const chosen = store.read
    .selectFrom("orders")
    .select("id")
    // Not a parameter: the index has only orders with this status.
    .where("status", "=", sql.lit("pending"))
    .where((expression) => expression.or([expression("transaction_id", "is not", null), expression("hosted_url", "is not", null)]))
    .where("created_at", ">", now - forgottenMs)
    // The older an order, the more rarely the provider is asked: most were abandoned.
    .where((expression) =>
      expression.or([
        expression("checked_at", "is", null),
        // It was checked before the clock was set back.
        expression("checked_at", ">", now),
        expression.and([
          expression("checked_at", "<", now - reconcileEveryMs),
          sql<boolean>`checked_at < ${now} - (${now} - created_at) / 10`,
        ]),
      ]),
    )
    .orderBy("checked_at")
    .limit(batch);
  return store.read.selectFrom("orders").selectAll().where("id", "in", chosen).orderBy("checked_at").execute();
}

/** Orders whose subscription has passed its end without news of a renewal. Plans without a subscription are left out: they just end. */
function silentOrders({ store }: PaymentsWorld, now: number): Promise<readonly OrdersTable[]> {
  return store.read
    .selectFrom("entitlements")
    .innerJoin("orders", "orders.id", "entitlements.order_id")
    .selectAll("orders")
    .where("entitlements.status", "in", ["active", "past_due"])
    .where("entitlements.ends_at", "<", now)
    .where("entitlements.ends_at", ">", now - silentMs)
    .where("orders.product_type", "=", "subscription")
    .where((expression) =>
      expression.or([
        expression("orders.checked_at", "is", null),
        expression("orders.checked_at", ">", now),
        expression("orders.checked_at", "<", now - 60 * reconcileEveryMs),
      ]),
    )
    .limit(batch)
    .execute();
}
