/** The products, once per currency. Prices are set per market, not converted. */
import { type PaymentProviderName, paymentProviders, type Product } from "#core/products.ts";

export const currencies = ["MXN", "BRL", "ARS", "COP", "CLP", "PEN", "CHF", "EUR", "USD"] as const;
export type Currency = (typeof currencies)[number];

interface Offer {
  readonly type: Product["productType"];
  readonly plan: "1W" | "1M" | "3M" | "6M" | "12M";
  readonly trialDays: number;
  /** Price and list price in minor units. CLP has no minor unit: its amounts are whole pesos. */
  readonly prices: Readonly<Record<Currency, readonly [price: number, listPrice: number]>>;
}

const offers: readonly Offer[] = [
  {
    type: "subscription",
    plan: "1W",
    trialDays: 0,
    prices: {
      MXN: [14_900, 19_900],
      BRL: [2_990, 3_990],
      ARS: [990_000, 1_290_000],
      COP: [2_990_000, 3_990_000],
      CLP: [6_990, 8_990],
      PEN: [2_490, 3_490],
      CHF: [1_090, 1_490],
      EUR: [890, 1_190],
      USD: [799, 999],
    },
  },
  {
    type: "subscription",
    plan: "1M",
    trialDays: 0,
    prices: {
      MXN: [34_900, 44_900],
      BRL: [7_990, 9_990],
      ARS: [2_490_000, 3_290_000],
      COP: [6_990_000, 8_990_000],
      CLP: [15_990, 19_990],
      PEN: [6_490, 8_490],
      CHF: [2_990, 3_690],
      EUR: [2_490, 2_990],
      USD: [1_999, 2_499],
    },
  },
  {
    type: "subscription",
    plan: "3M",
    trialDays: 7,
    prices: {
      MXN: [74_700, 99_900],
      BRL: [17_970, 23_970],
      ARS: [5_670_000, 7_470_000],
      COP: [14_970_000, 20_970_000],
      CLP: [35_970, 47_970],
      PEN: [14_370, 19_470],
      CHF: [6_870, 8_970],
      EUR: [5_370, 7_170],
      USD: [4_497, 5_997],
    },
  },
  {
    type: "subscription",
    // The reactivation offer: the first month is free, the next six are paid (the "+1" in spec 001 §9).
    plan: "6M",
    trialDays: 30,
    prices: {
      MXN: [119_400, 179_400],
      BRL: [29_940, 41_940],
      ARS: [8_940_000, 13_440_000],
      COP: [23_940_000, 35_940_000],
      CLP: [56_940, 83_940],
      PEN: [22_740, 34_740],
      CHF: [11_340, 15_540],
      EUR: [8_340, 12_540],
      USD: [7_194, 10_194],
    },
  },
  {
    type: "subscription",
    plan: "12M",
    trialDays: 0,
    prices: {
      MXN: [190_800, 298_800],
      BRL: [47_880, 71_880],
      ARS: [14_280_000, 22_680_000],
      COP: [35_880_000, 59_880_000],
      CLP: [89_880, 143_880],
      PEN: [34_680, 56_280],
      CHF: [17_880, 26_880],
      EUR: [13_080, 21_480],
      USD: [11_988, 17_988],
    },
  },
  {
    type: "onetime",
    plan: "3M",
    trialDays: 0,
    prices: {
      MXN: [89_900, 119_900],
      BRL: [19_700, 26_700],
      ARS: [6_490_000, 8_490_000],
      COP: [16_900_000, 22_900_000],
      CLP: [39_900, 52_900],
      PEN: [15_900, 21_900],
      CHF: [7_900, 9_900],
      EUR: [5_990, 7_990],
      USD: [4_900, 6_500],
    },
  },
  {
    type: "onetime",
    plan: "6M",
    trialDays: 0,
    prices: {
      MXN: [149_900, 209_900],
      BRL: [32_700, 45_700],
      ARS: [9_990_000, 14_990_000],
      COP: [26_900_000, 39_900_000],
      CLP: [62_900, 92_900],
      PEN: [25_900, 38_900],
      CHF: [12_900, 17_900],
      EUR: [9_490, 13_990],
      USD: [7_900, 11_500],
    },
  },
  {
    type: "onetime",
    plan: "12M",
    trialDays: 0,
    prices: {
      MXN: [229_900, 349_900],
      BRL: [49_700, 79_700],
      ARS: [15_990_000, 24_990_000],
      COP: [39_900_000, 65_900_000],
      CLP: [99_900, 159_900],
      PEN: [38_900, 61_900],
      CHF: [19_900, 29_900],
      EUR: [14_990, 23_990],
      USD: [12_900, 19_900],
    },
  },
];

/**
 * A product id contains its currency, so that a price never shows in another one: `subscription-3m-mxn`. `-notrial` is for customers who
 * have used the trial; `-classic` is sold by Paddle Classic.
 */
export function productId(
  type: Product["productType"],
  plan: string,
  currency: string,
  provider: PaymentProviderName = "paddlebilling",
  trial: "with its trial" | "without its trial" = "with its trial",
): string {
  return `${type}-${plan}-${currency}${trial === "without its trial" ? "-notrial" : ""}${provider === "paddle" ? "-classic" : ""}`.toLowerCase();
}

/** Every product of the catalogue, for both providers at the same price. `npm start` loads them into the database. */
export const products: readonly Product[] = paymentProviders.flatMap((paymentProvider) =>
  [
    ...offers.map((offer) => ({ ...offer, trial: "with its trial" as const })),
    ...offers.filter(({ trialDays }) => trialDays > 0).map((offer) => ({ ...offer, trialDays: 0, trial: "without its trial" as const })),
  ].flatMap((offer) =>
    currencies.map((currency) => ({
      productId: productId(offer.type, offer.plan, currency, paymentProvider, offer.trial),
      productType: offer.type,
      productPlan: offer.plan,
      currency,
      price: offer.prices[currency][0],
      listPrice: offer.prices[currency][1],
      frequency: offer.type === "onetime" ? 0 : 1,
      trialDays: offer.trialDays,
      paymentProvider,
    })),
  ),
);

/** The plan of the reactivation offer, "6+1 months" (spec 001 §9). */
export const comeBackPlan = "6M";

const ids: ReadonlySet<string> = new Set(products.map(({ productId: id }) => id));
export const isProduct = (id: string): boolean => ids.has(id);
