/** The offer for this visitor (spec 001 §7): products, local prices and the chosen product. */
import type { Offer } from "#blocks/view.ts";
import { configurationFor, inOfferOrder, defaultProduct } from "#core/offers.ts";
import type { Product, ProductType } from "#core/products.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import { termsOf } from "#core/terms.ts";
import { sessionOf } from "../api/claims.ts";
import { readDevice } from "../device/device.ts";
import { createListeners } from "../listeners.ts";
import { createPrices, type PriceParts, type Prices } from "./prices.ts";
import { loadingOffer, type OfferSnapshot } from "./snapshots.ts";

/** The plan for returning customers: "6+1 months" (spec 001 §9). */
const reactivationPlan = "6M";
const isReactivationPlan = ({ productType, productPlan }: Product) => productType === "subscription" && productPlan === reactivationPlan;

export interface OfferService {
  readonly subscribe: (changed: () => void) => () => void;
  readonly snapshot: () => OfferSnapshot;
  readonly configurationOf: Offer["configurationOf"];
  readonly termsOf: Offer["termsOf"];
  /** Requests the products unless they are loaded or loading. */
  readonly load: () => void;
  readonly select: (productId: string) => void;
  readonly retry: () => void;
  /** The coupon that the prices include, so the checkout must use it too: the offer's own code, else the typed one. */
  readonly couponCode: () => string | undefined;
  readonly applyCoupon: Offer["applyCoupon"];
  /** Resolves with the chosen product. Rejects if the offer fails. */
  readonly chosen: () => Promise<Product>;
}

export interface OfferParts extends PriceParts {
  readonly compiled: CompiledQuestionnaire;
  /** The plan that fits the visitor's program. */
  readonly plan: () => string;
  /** The kind of product that the visitor's answers prefer; null without a preference. */
  readonly wish?: () => ProductType | null;
  readonly now: () => Date;
  readonly timeZone: string;
  /** Called with the product that is chosen by default, then with each choice of the visitor. */
  readonly onSelected?: (product: Product) => void;
  readonly warn: (message: string) => void;
}

interface OfferState extends OfferSnapshot {
  /** The products without a typed coupon. They decide which plan is recommended, so that no coupon moves the recommendation. */
  readonly plain: readonly Product[];
}
const nothingOffered: OfferState = { ...loadingOffer, plain: [] };

export function createOffer(parts: OfferParts): OfferService {
  const { store, onSelected, warn } = parts;
  const { subscribe, notify } = createListeners();
  const prices = createPrices(parts);
  let current = nothingOffered;
  let told: string | undefined;
  function set(change: Partial<OfferState>) {
    current = { ...current, ...change };
    const { selected } = current;
    if (selected !== null && selected.productId !== told) onSelected?.(selected);
    told = selected?.productId ?? told;
    notify();
  }
  const request = createProductRequest(parts, prices, set);
  function keep({ productId, paymentProvider }: Product) {
    store.set("product", productId);
    store.set("paymentProvider", paymentProvider);
  }

  return {
    subscribe,
    snapshot: () => current,
    configurationOf: configurationOf(parts, () => current.plain),
    termsOf: (product) => termsOf(product, { now: parts.now().getTime(), timeZone: parts.timeZone }),
    load: () => void request.once(),
    select(productId) {
      const selected = current.products.find((product) => product.productId === productId);
      if (selected === undefined) return;
      keep(selected);
      set({ selected });
    },
    retry: request.retry,
    couponCode: prices.couponCode,
    async applyCoupon(typed) {
      const code = typed.trim().toUpperCase();
      const standing = current.coupon;
      if (standing === code) return "same";
      const unchanged = request.watch();
      const ids = current.products.map(({ productId }) => productId);
      try {
        const plain = standing === null ? current.products : await prices.withCode(ids, undefined);
        const before = standing === null ? plain : await prices.withCode(ids, standing);
        const reduced = await prices.withCode(ids, code);
        if (!unchanged()) return "failed";
        if (!prices.isCheaper(reduced, plain)) return "unknown";
        // Codes do not add up. Another one must not make the chosen plan dearer.
        const { productId } = current.selected ?? {};
        if (standing !== null && !prices.isBetter(reduced, before, productId)) return "kept";
        store.set("coupon", code);
        const ordered = inOfferOrder(reduced);
        const selected = ordered.find((product) => product.productId === productId) ?? recommended(parts, ordered, plain);
        set({ products: ordered, plain, coupon: code, selected });
        return "applied";
      } catch (error) {
        warn(`No prices with this coupon: ${String(error)}`);
        return "failed";
      }
    },
    async chosen() {
      // Retries a failed offer, so that a visitor at the payment form need not go back to the plans.
      if (current.status === "failed") request.retry();
      await request.once();
      if (current.selected === null) throw new Error("No product found!");
      return current.selected;
    },
  };
}

/** Requests this visitor's products: once, and again after a change of login or plan. */
function createProductRequest(parts: OfferParts, prices: Prices, set: (change: Partial<OfferState>) => void) {
  const { api, store, compiled, context, plan, wish, reactivate = false, warn } = parts;
  let request: Promise<void> | null = null;
  const needs = () => `${plan()} ${wish?.() ?? ""}`;
  const login = () => sessionOf(store.get("token"));
  /** The login and the needs of the last request: a login can end the right to a trial, and other answers change the plan. */
  let requestedFor: { readonly login: string | null; readonly needs: string | null } = { login: null, needs: null };
  let requestCount = 0;

  async function send() {
    const thisRequest = ++requestCount;
    requestedFor = { login: login(), needs: null };
    const { locale, country } = await context();
    const wanted = plan();
    requestedFor = { ...requestedFor, needs: needs() };
    try {
      const { value } = await api.call("courseFee", {
        body: {
          trafficId: readDevice(store)?.cid ?? null,
          attributes: { questionnaire: compiled.definition.id, plan: wanted, reactivate, locale, country },
        },
      });
      const { products: priced, plain, full } = await prices.now(value);
      const products = inOfferOrder(priced);
      if (thisRequest !== requestCount) return;
      const isSpecial = full !== undefined && prices.isCheaper(products.filter(isReactivationPlan), full);
      const selected = firstChosen(parts, products, value[0], isSpecial) ?? recommended(parts, products, plain);
      set({ status: "ready", products, plain, selected, coupon: prices.typedCode() ?? null, takesCoupon: prices.takesCoupon });
    } catch (error) {
      // The block has a button to try again. The reason is logged for the operator.
      warn(`No offer: ${String(error)}`);
      if (thisRequest === requestCount) set({ status: "failed" });
    }
  }

  function retry() {
    set(nothingOffered);
    request = send();
  }
  const isStale = () => requestedFor.login !== login() || (requestedFor.needs !== null && requestedFor.needs !== needs());

  return {
    retry,
    once(): Promise<void> {
      if (request !== null && isStale()) retry();
      return (request ??= send());
    },
    /** @returns a function that tells whether no further request has begun since */
    watch() {
      const now = requestCount;
      return () => now === requestCount;
    },
  };
}

/** The product that is recommended, and chosen at first by whoever has chosen none. */
function recommended({ plan, wish }: Pick<OfferParts, "plan" | "wish">, products: readonly Product[], plain: readonly Product[]): Product {
  const { productId } = defaultProduct(plain, plan(), wish?.());
  return products.find((product) => product.productId === productId) ?? defaultProduct(products, plan(), wish?.());
}

/**
 * The product that is chosen at first. Returning customers: the plan of 6+1 months if their coupon lowers its price, else their former plan.
 * Everybody else: their earlier choice on this device; undefined without one.
 */
function firstChosen(
  { store, reactivate = false }: OfferParts,
  products: readonly Product[],
  first: string | undefined,
  isSpecial: boolean,
): Product | undefined {
  const find = (id: string | null | undefined) => products.find(({ productId }) => productId === id);
  if (!reactivate || !products.some(isReactivationPlan)) return find(store.get("product"));
  const former = () => find(first) ?? products.find((product) => first !== undefined && isSameInAnyCurrency(first, product));
  return (isSpecial ? undefined : former()) ?? defaultProduct(products, reactivationPlan);
}

/** The server names products in one currency, and sells them in the visitor's. */
const isSameInAnyCurrency = (productId: string, { productType, productPlan }: Product) =>
  productId.startsWith(`${productType}-${productPlan.toLowerCase()}-`);

/** The texts for a product. A product without its own gets another one's, with one warning. */
export function configurationOf(
  { compiled, plan, wish, warn }: Pick<OfferParts, "compiled" | "plan" | "wish" | "warn">,
  offered: () => readonly Product[],
): Offer["configurationOf"] {
  const warned = new Set<string>();
  return (product) => {
    const { productConfigurations } = compiled.definition;
    const { configuration, backup } = configurationFor(productConfigurations, product);
    if (backup && !warned.has(product.productId)) {
      warned.add(product.productId);
      warn(`No matching product configuration for ${product.productId}, a backup is used`);
    }
    // The tag "our recommendation" moves to the default product, whichever product's texts contain it.
    const { tag: _own, ...plain } = configuration;
    const products = offered();
    if (products.length === 0 || productConfigurations.every(({ tag }) => tag === undefined)) return configuration;
    if (defaultProduct(products, plan(), wish?.()).productId !== product.productId) return plain;
    return { ...plain, tag: configuration.tag ?? productConfigurations.find(({ tag }) => tag !== undefined)?.tag };
  };
}
