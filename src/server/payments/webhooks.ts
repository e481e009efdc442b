/** Receives the providers' webhooks, and applies them after the answer. */
import type { PaymentProviderName } from "#core/products.ts";
import type { IncomingHttpHeaders } from "node:http";
import { noteBuyers, type StoredWebhook } from "./buyers.ts";
import { carryOutSoon } from "./carryOut.ts";
import { channelOf, type PaymentsWorld } from "./paymentsWorld.ts";
import type { Fact } from "./provider.ts";

/** True once the webhook is stored; false when it is not from the provider. */
export async function receive(
  payments: PaymentsWorld,
  name: PaymentProviderName,
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
): Promise<boolean> {
  const channel = channelOf(payments, name);
  const event = channel?.provider.verify(rawBody, headers, payments.world.now()) ?? null;
  if (channel === null || event === null) return false;
  await channel.ledger.store(event);
  payments.background.runSoon("apply", async () => {
    await applyStored(payments);
    carryOutSoon(payments);
  });
  return true;
}

export async function applyStored({ channels }: PaymentsWorld): Promise<void> {
  for (const { ledger } of channels) await ledger.applyStored();
}

export const noteAllBuyers = (payments: PaymentsWorld): Promise<void> =>
  noteBuyers(payments.store, (webhook) => factsOf(payments, webhook), payments.background.stopped);

/** The facts in a stored webhook; null when its provider is not configured or it cannot be read. */
function factsOf(payments: PaymentsWorld, { payment_provider: name, payload }: StoredWebhook): readonly Fact[] | null {
  try {
    return (
      channelOf(payments, name)
        ?.provider.factsOf(payload)
        .map(({ fact }) => fact) ?? null
    );
  } catch {
    return null;
  }
}
