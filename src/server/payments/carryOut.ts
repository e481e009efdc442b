/** Carries out what is due: duties of the providers, notices that end a contract, and early ends. */
import { cancelLostCheckout } from "./endOrders.ts";
import { confirmLostCancellation } from "./cancellations.ts";
import { runDuties } from "./duties.ts";
import { carryOutEarlyEnds, hadPartReturned, partToGiveBack } from "./earlyEnds.ts";
import { carryOutNotices } from "./notices.ts";
import type { PaymentsWorld } from "./paymentsWorld.ts";
import { cancelNamed } from "./plans.ts";
import { ProviderFailure } from "./provider.ts";

export const carryOut = (payments: PaymentsWorld): Promise<void> => {
  const { store, world, log, channels, background } = payments;
  return runDuties({
    store,
    world,
    providers: channels.map(({ provider }) => provider),
    log,
    confirmCancellation: (provider, duty) => confirmLostCancellation(payments, provider, duty),
    cancelLostCheckout: (provider, orderId) => cancelLostCheckout(payments, provider, orderId),
    refundPart: async (provider, { subject, order_id: orderId, reason, created_at: since }) => {
      const part = await partToGiveBack(store.read, orderId);
      if (part === null || part <= 0) return;
      if (!provider.knowsParts && (await hadPartReturned(store.read, provider.name, subject, since)))
        throw new ProviderFailure("refused", `A part of ${subject} was returned before, and this provider returns one part only`);
      await provider.refund(subject, reason, { amount: part, id: null });
    },
    stopped: background.stopped,
  });
};

export const carryOutSoon = (payments: PaymentsWorld): void => payments.background.runSoon("carryOut", () => carryOut(payments));

/** Carries out notices and early ends, then the duties that they add. */
export async function endContracts(payments: PaymentsWorld): Promise<void> {
  const { store, world, log, background } = payments;
  const cancel = (accountUuid: string, orderId: string | null) => cancelNamed(payments, accountUuid, orderId);
  await carryOutNotices({ store, world, log, cancel, stopped: background.stopped });
  await carryOutEarlyEnds(store, world);
  await carryOut(payments);
}
