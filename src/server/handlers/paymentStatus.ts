import type { Handler } from "../handler.ts";

/** How one payment stands, or with an empty id the account's latest; an unknown one counts as cancelled. */
export const paymentStatus: Handler<"paymentStatus"> = async ({ actor, body }, { payments }) => ({
  status: await payments.statusOf(actor.accountUuid, body.paymentId),
});
