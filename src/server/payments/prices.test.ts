/** A coupon's price is the same everywhere: on the offer, at the checkout, on the receipt, in the account and in each charge. */
import { coupons } from "#content/catalog/coupons.ts";
import { currencyOf } from "#content/catalog/countries.ts";
import { comeBackPlan, products } from "#content/catalog/products.ts";
import { formatsFor, minorUnitsOf } from "#core/formats.ts";
import { discountPercentage } from "#core/money.ts";
import type { Product } from "#core/products.ts";
import { sampledDatabases } from "#test/app.ts";
import { paidBefore } from "#test/formerBuyer.ts";
import { type PaymentBed, paymentBeds } from "#test/payments.ts";
import { sampled } from "#test/sampled.ts";
import * as v from "valibot";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

const countries = ["MX", "BR", "AR", "CO", "CL", "PE", "CH", "DE", "US"] as const;
const codes = [...coupons.map(({ code }) => code), undefined];
const cases = products.flatMap((product) => codes.map((code) => ({ product, code })));

/** All amounts that a buyer is asked for and charged, in order. */
async function lifeOf(
  { bed, store }: ReturnType<typeof paymentBeds>,
  { productId, productPlan, currency }: Product,
  couponCode: string | undefined,
) {
  const country = countries.find((candidate) => currencyOf(candidate) === currency) ?? "";
  const [offered] = (await bed.payments.offer([productId], { country, couponCode })) ?? [];
  if (offered === undefined) throw new Error(`${productId} is not sold in ${country}`);
  const account = await bed.account();
  // Only customers who have paid before get the free month for coming back.
  if (productPlan === comeBackPlan) await paidBefore(store, { now: () => bed.clock.now, uuid: randomUUID }, account);
  const purchase = await bed.buy(account, productId, couponCode === undefined ? {} : { couponCode });
  const { engine, subscriptionId } = purchase;
  const totals = () =>
    engine
      .transactions()
      .filter(({ id, subscription_id }) => id === purchase.transactionId || subscription_id === subscriptionId)
      .map(({ details }) => Number(details?.totals?.grand_total));
  const form = await formOf(bed, currency, purchase);
  const planPrices: (number | undefined)[] = [(await bed.payments.planOf(account))?.price];
  for (let renewal = 0; renewal < (offered.productType === "onetime" ? 0 : 2); renewal++) {
    bed.clock.now = Math.max(bed.clock.now, Date.parse(engine.getSubscription(subscriptionId).next_billed_at ?? ""));
    engine.renew(subscriptionId);
    await bed.settled();
    planPrices.push((await bed.payments.planOf(account))?.price);
  }
  const { purchase: told } = await bed.payments.statusOf(account, "");
  const [entitlement] = await bed.entitlements(account);
  return { account, offered, bought: told?.price, form, planPrices, charged: totals(), status: entitlement?.status };
}

const formData = v.object({
  totals: v.object({ total: v.number() }),
  recurring_totals: v.optional(v.object({ total: v.number() })),
});
/** The amounts in the provider's form, for today and for each later period; its hosted page has the same. */
async function formOf(
  { apis }: PaymentBed,
  currency: string,
  { transactionId, hostedUrl, engine }: Awaited<ReturnType<PaymentBed["buy"]>>,
): Promise<readonly (number | null)[]> {
  const isClassic = engine.getTransaction(transactionId).origin === "web";
  const base = (isClassic ? apis.classic : apis.billing).replace(/api$/, "checkout");
  const answer = await fetch(`${base}/${transactionId}`);
  const { totals, recurring_totals: later } = v.parse(formData, await answer.json());
  const minor = (major: number) => Math.round(major * minorUnitsOf(currency));
  if (isClassic) {
    const page = await (await fetch(hostedUrl ?? "")).text();
    expect(page).toContain(formatsFor("en-US").money(minor(totals.total), currency));
  }
  return [minor(totals.total), later === undefined ? null : minor(later.total)];
}

describe.each(sampledDatabases)("the amount that is asked and charged on %s", (database) => {
  const at = paymentBeds(database);

  it("is the same for every product and coupon, in every currency, from both providers, through two renewals", async () => {
    const { now } = at.bed.clock;
    for (const { product, code } of sampled(cases, 13)) {
      // The renewals of all cases together would take longer than a card is valid.
      at.bed.clock.now = now;
      const { account, offered, bought, form, planPrices, charged, status } = await lifeOf(at, product, code);
      const what = `${product.productId} with ${code ?? "no coupon"}`;
      const { price } = offered;
      const coupon = coupons.find((candidate) => candidate.code === code && (candidate.plans?.includes(product.productPlan) ?? true));
      const first = product.trialDays > 0 ? 0 : price;
      const renewals = product.productType === "onetime" ? [] : [price, price];
      expect({ bought, form, planPrices, charged, status }, what).toEqual({
        bought: price,
        form: [first, product.productType === "onetime" ? null : price],
        planPrices: [price, ...renewals],
        charged: [first, ...renewals],
        status: "active",
      });
      // The advertised percentage is taken off the struck-out price, which is what other visitors pay.
      const listed = ["EUR", "CHF"].includes(product.currency) ? product.price : product.listPrice; // decision 192
      if (coupon === undefined) expect([price, offered.listPrice], what).toEqual([product.price, listed]);
      else expect([offered.listPrice, discountPercentage(offered)], what).toEqual([product.price, coupon.percentage]);
      const mails = await at.store.read.selectFrom("mail_outbox").select("data").where("account_uuid", "=", account).execute();
      for (const { data } of mails) expect(JSON.parse(data), what).toMatchObject({ price, currency: product.currency });
      expect(mails.length, what).toBeGreaterThan(0);
    }
    expect(at.bed.problems).toEqual([]);
  });
});
