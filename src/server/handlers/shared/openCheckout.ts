/** Opens the checkout of an order, or refuses with the reason. */
import type { CodeOf } from "#core/errors.ts";
import { consentTextVersion } from "#core/consent.ts";
import type { IncomingHttpHeaders } from "node:http";
import { pricingCountries, refusesAdvertising, siteOf } from "../../base/visitor.ts";
import { allows } from "../../conversions/marketingConsent.ts";
import { Refusal, refuse } from "../../base/refusal.ts";
import type { Services } from "./services.ts";
import type { OrderCheckout, OrderRequest, PaymentService } from "../../payments/service.ts";

interface CheckoutCall {
  readonly actor: { readonly accountUuid: string };
  readonly body: { readonly couponCode?: string | undefined; readonly timeZone?: string | undefined };
  readonly network: string;
  readonly country: string | null;
  readonly device: string | null;
  readonly headers: IncomingHttpHeaders;
}

type CouponUse = Awaited<ReturnType<PaymentService["couponFor"]>>;

/** Records a refusal by Global Privacy Control with the purchase, even where no script could do so (decision 134). */
async function recordRefusal({ actor, device, country, headers }: CheckoutCall, { store, world }: Pick<Services, "store" | "world">) {
  const now = world.now();
  if (!refusesAdvertising(headers) || !(await allows(store.read, actor.accountUuid, now))) return;
  await store.write((queries) =>
    queries
      .insertInto("consent_records")
      .values({
        id: world.uuid(),
        device_id: device,
        account_uuid: actor.accountUuid,
        chosen_at: now,
        received_at: now,
        text_version: consentTextVersion,
        functional: 1,
        analytics: 1,
        marketing: 0,
        source: "gpc",
        country,
      })
      .execute(),
  );
}

/**
 * The coupon of a code, for a product. Every code is counted as a try before it is looked up, so that nobody can try many at once. A link's coupon is sent with
 * every plan, without anybody guessing. So the try is given back if a coupon has the code, even one that does not apply to this product or no longer applies. For
 * the same reason a code that no coupon has counts once.
 */
async function couponOf(
  { actor, network }: Pick<CheckoutCall, "actor" | "network">,
  { limits, payments }: Pick<Services, "limits" | "payments">,
  productId: string,
  code: string,
): Promise<CouponUse | Refusal<CodeOf<"tooMany">>> {
  // A refused code was not looked up.
  const tried = (found: CouponUse | Refusal<CodeOf<"tooMany">>) => ({ good: found !== null, found });
  const spelled = code.toUpperCase();
  const look = async () => tried(await payments.couponFor(productId, code));
  return limits.guess(
    "coupon.account",
    actor.accountUuid,
    async () => tried(await limits.guess("coupon.network", network, look, spelled)),
    spelled,
  );
}

/** Opens a checkout or reuses an open one. The rate limits count only those that the provider opens. */
export async function openCheckout(
  call: CheckoutCall,
  services: Pick<Services, "limits" | "payments" | "settings" | "store" | "world">,
  order: Pick<OrderRequest<never>, "productId" | "hosted">,
): Promise<OrderCheckout | Refusal<CodeOf<"notSold" | "providerFailed" | "tooMany">>> {
  const { accountUuid } = call.actor;
  const { limits } = services;
  await recordRefusal(call, services);
  const code = call.body.couponCode?.trim() ?? "";
  const coupon = code === "" ? null : await couponOf(call, services, order.productId, code);
  if (coupon instanceof Refusal) return coupon;
  const result = await services.payments.open({
    ...order,
    country: call.country,
    markets: pricingCountries(call.country, services.settings),
    accountUuid,
    couponCode: coupon?.code ?? undefined,
    timeZone: call.body.timeZone,
    mayCreate: async () => {
      if (await services.payments.hasWithdrawnOften(accountUuid)) return refuse("tooMany");
      return (await limits.take("payment.account", accountUuid)) ?? limits.take("payment-open.network", siteOf(call.network));
    },
  });
  switch (result.kind) {
    case "open":
      return result.checkout;
    case "not sold":
      return refuse("notSold");
    case "provider failed":
      return refuse("providerFailed");
    case "refused":
      return result.refusal;
  }
}
