/** An order's checkout for whoever calls, or why there is none. */
import { type Refusal, refuse } from "../handler.ts";
import type { Services } from "../parts.ts";
import type { OrderCheckout, OrderRequest } from "./service.ts";

interface CheckoutCall {
  readonly actor: { readonly accountUuid: string };
  readonly body: { readonly couponCode?: string | undefined };
  readonly network: string;
  readonly country: string | null;
}

/** How often an account may have the provider open one is limited; taking up an open one is free. */
export async function openCheckout(
  { actor, body, network, country }: CheckoutCall,
  { limits, payments }: Pick<Services, "limits" | "payments">,
  order: Pick<OrderRequest<never>, "productId" | "hosted">,
): Promise<OrderCheckout | Refusal<1200 | 1202 | 1429>> {
  const result = await payments.open({
    ...order,
    country,
    accountUuid: actor.accountUuid,
    couponCode: body.couponCode,
    mayCreate: async () =>
      (await limits.take("payment.account", actor.accountUuid)) ??
      (body.couponCode === undefined
        ? null
        : ((await limits.take("coupon.account", actor.accountUuid)) ?? (await limits.take("coupon.network", network)))),
  });
  switch (result.kind) {
    case "open":
      return result.checkout;
    case "not sold":
      return refuse(1200);
    case "provider failed":
      return refuse(1202);
    case "refused":
      return result.refusal;
  }
}
