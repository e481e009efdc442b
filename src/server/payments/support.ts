/** What operators do for a buyer: refund money, or grant days. */
import type { Queries } from "../store/schema.ts";
import { lockAccount } from "./accountOrders.ts";
import { carryOutSoon } from "./carryOut.ts";
import { partToGiveBack } from "./earlyEnds.ts";
import { addGift, type Gift, type GiftAnswer } from "./gifts.ts";
import { channelOf, type PaymentsWorld } from "./paymentsWorld.ts";
import { currentPlan } from "./plans.ts";
import { beginRefund, type RefundAnswer, type RefundRequest } from "./refunds.ts";
import type { Note } from "./service.ts";

export async function refundPayment(payments: PaymentsWorld, request: RefundRequest, note: Note): Promise<RefundAnswer> {
  const { store, world } = payments;
  const answer = await store.write(async (queries) => {
    await lockAccount(queries, world, request.accountUuid);
    const begun = await beginRefund(queries, request, (name) => channelOf(payments, name)?.provider ?? null, world.now());
    if (begun === "begun") await note(queries);
    return begun;
  });
  if (answer === "begun") carryOutSoon(payments);
  return answer;
}

export const grantDays = (payments: PaymentsWorld, accountUuid: string, gift: Gift, note: Note): Promise<GiftAnswer> =>
  payments.oneAtATime(accountUuid, async () => {
    const { store, world } = payments;
    const current = await currentPlan(payments, accountUuid);
    const order =
      current === null ? null : await store.read.selectFrom("orders").selectAll().where("id", "=", current.orderId).executeTakeFirst();
    const ledger = order == null ? undefined : channelOf(payments, order.payment_provider)?.ledger;
    if (current === null || order?.transaction_id == null || ledger === undefined || current.plan.status === "paused") return "no plan";
    // Access ends with the contract, so the days would not be usable.
    if ((await partToGiveBack(store.read, order.id)) !== null) return "no plan";
    const add = async (queries: Queries) => {
      await lockAccount(queries, world, accountUuid);
      return addGift(queries, { ...order, account_uuid: accountUuid }, gift, world.now());
    };
    return ledger.give(order.id, add, note);
  });
