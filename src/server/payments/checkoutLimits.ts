/** How often an account may have the provider open a checkout; taking up an open one is free. */
import type { Refusal } from "../handler.ts";
import type { Services } from "../parts.ts";

interface CheckoutCall {
  readonly actor: { readonly accountUuid: string };
  readonly body: { readonly couponCode?: string | undefined };
  readonly network: string;
}

export function mayOpenCheckout(
  { actor, body, network }: CheckoutCall,
  { limits }: Pick<Services, "limits">,
): () => Promise<Refusal<1429> | null> {
  return async () =>
    (await limits.take("payment.account", actor.accountUuid)) ??
    (body.couponCode === undefined
      ? null
      : ((await limits.take("coupon.account", actor.accountUuid)) ?? (await limits.take("coupon.network", network))));
}
