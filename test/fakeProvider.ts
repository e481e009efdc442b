/** For tests: a payment provider as an object. The test sets its answers. */
import type { PaymentProvider } from "#server/payments/provider.ts";
import { vi } from "vitest";

/** By default every call succeeds, and the provider has no data. */
export function fakeProvider({ name, keepsCancelled }: Pick<PaymentProvider, "name" | "keepsCancelled">) {
  return {
    name,
    keepsCancelled,
    createCheckout: vi.fn<PaymentProvider["createCheckout"]>(async ({ id }) => ({
      transactionId: `txn ${id}`,
      hostedUrl: `https://pay.example/${id}`,
    })),
    findCheckout: vi.fn<PaymentProvider["findCheckout"]>(async () => null),
    hostedLink: vi.fn<PaymentProvider["hostedLink"]>((url, { language }) => `${url}?${language}`),
    cancelCheckout: vi.fn<PaymentProvider["cancelCheckout"]>(async () => true),
    readOrder: vi.fn<PaymentProvider["readOrder"]>(async () => []),
    readSubscription: vi.fn<PaymentProvider["readSubscription"]>(async () => []),
    changeSubscription: vi.fn<PaymentProvider["changeSubscription"]>(async () => []),
    endSubscription: vi.fn<PaymentProvider["endSubscription"]>(async () => undefined),
    cardPage: vi.fn<PaymentProvider["cardPage"]>(async (id) => `https://card.example/${id}`),
    knowsParts: true as boolean,
    refund: vi.fn<PaymentProvider["refund"]>(async () => undefined),
    verify: vi.fn<PaymentProvider["verify"]>(() => null),
    factsOf: vi.fn<PaymentProvider["factsOf"]>((payload) => JSON.parse(payload)),
    listMoney: vi.fn<PaymentProvider["listMoney"]>(async () => []),
    listedPrices: vi.fn<PaymentProvider["listedPrices"]>(async () => new Map()),
  } satisfies PaymentProvider;
}
