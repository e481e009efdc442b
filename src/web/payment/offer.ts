/** What is sold to this visitor (spec 001 §7): which products, what they cost here, and which one is chosen. */
import type { Offer } from "#blocks/view.ts";
import { configurationFor, inOfferOrder, usualProduct } from "#core/offers.ts";
import type { Product } from "#core/products.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { termsOf } from "#core/terms.ts";
import type { Api } from "../api/client.ts";
import { readDevice } from "../session/device.ts";
import { isSignedIn, type KeyValueStore } from "../session/storage.ts";
import { loadingOffer } from "./start.ts";

/** "6+1 months" (spec 001 §9). */
const comeBackPlan = "6M";

export type OfferSnapshot = Pick<Offer, "status" | "products" | "selected" | "coupon" | "takesCoupon">;

export interface OfferService {
  readonly subscribe: (changed: () => void) => () => void;
  readonly snapshot: () => OfferSnapshot;
  readonly configurationOf: Offer["configurationOf"];
  readonly termsOf: Offer["termsOf"];
  /** Asks for the products unless they are here or on their way. */
  readonly load: () => void;
  readonly select: (productId: string) => void;
  readonly retry: () => void;
  /** What the prices have, and so the checkout must: the offer's own code, else the one that was typed. */
  readonly couponCode: () => string | undefined;
  readonly applyCoupon: Offer["applyCoupon"];
  /** The chosen product, as soon as there is one. Rejects when the offer failed. */
  readonly chosen: () => Promise<Product>;
}

export interface OfferParts {
  readonly api: Api;
  readonly store: KeyValueStore;
  readonly compiled: CompiledQuestionnaire;
  /** What it depends on, as soon as it is known where the visitor is. */
  readonly context: () => Promise<Pick<Context, "locale" | "country">>;
  /** The plan that the visitor's program comes to. */
  readonly plan: () => string;
  readonly couponCode: string | undefined;
  readonly now: () => Date;
  readonly timeZone: string;
  /** For someone who comes back: one plan, in one frame (spec 001 §2). */
  readonly reactivate?: boolean;
  /** Told of the chosen product: the usual one first, then with each other choice. */
  readonly onSelected?: (product: Product) => void;
  readonly warn: (message: string) => void;
}

/** Whether any product costs less than the same one before. */
function isCheaper(products: readonly Product[], before: readonly Product[]): boolean {
  return products.some((product) => before.some(({ productId, price }) => productId === product.productId && product.price < price));
}

export function createOffer({
  api,
  store,
  compiled,
  context,
  plan,
  couponCode,
  now,
  timeZone,
  reactivate = false,
  onSelected,
  warn,
}: OfferParts): OfferService {
  const listeners = new Set<() => void>();
  const warned = new Set<string>();
  let current = loadingOffer;
  let asking: Promise<void> | null = null;
  /** Whether it was asked for by somebody known: who has had a trial is offered none. */
  let askedSignedIn = false;
  /** The plan that it was asked for: another pace comes to another. */
  let askedPlan: string | null = null;
  let told: string | undefined;

  function set(change: Partial<OfferSnapshot>) {
    current = { ...current, ...change };
    const { selected } = current;
    if (selected !== null && selected.productId !== told) onSelected?.(selected);
    told = selected?.productId ?? told;
    for (const listener of listeners) listener();
  }

  /** Who comes back has what they had, or what their coupon is for; else what was chosen here before, or is usual. */
  function chosenOf(products: readonly Product[], first: string | undefined, wanted: string): Product {
    const find = (id: string | null | undefined) => products.find(({ productId }) => productId === id);
    if (!reactivate) return find(store.get("product")) ?? usualProduct(products, wanted);
    return (couponCode === undefined ? find(first) : undefined) ?? usualProduct(products, comeBackPlan);
  }

  const takesCoupon = couponCode === undefined && !reactivate;
  const typedCode = () => (takesCoupon ? (store.get("coupon") ?? undefined) : undefined);

  async function priced(productIds: readonly string[], code: string | undefined): Promise<readonly Product[]> {
    const { locale, country } = await context();
    const { products } = await api.call("products", {
      query: { productIds: productIds.join(","), customerCountry: country, locale, couponCode: code },
    });
    return products;
  }

  /** With the code that was typed, as long as it takes something off. */
  async function pricedNow(productIds: readonly string[]): Promise<readonly Product[]> {
    const plain = await priced(productIds, couponCode);
    const typed = typedCode();
    if (typed === undefined) return plain;
    const reduced = await priced(productIds, typed);
    if (isCheaper(reduced, plain)) return reduced;
    store.remove("coupon");
    return plain;
  }

  let asked = 0;
  async function ask() {
    const mine = ++asked;
    askedSignedIn = isSignedIn(store);
    const { locale, country } = await context();
    const wanted = plan();
    askedPlan = wanted;
    try {
      const { value } = await api.call("courseFee", {
        body: {
          trafficId: readDevice(store)?.cid ?? null,
          attributes: { questionnaire: compiled.definition.id, plan: wanted, reactivate, locale, country },
        },
      });
      const products = await pricedNow(value);
      if (mine !== asked) return;
      const ordered = inOfferOrder(products);
      const selected = chosenOf(ordered, value[0], wanted);
      set({ status: "ready", products: ordered, selected, coupon: typedCode() ?? null, takesCoupon });
    } catch (error) {
      // The block offers to try again; why it failed is for the operator.
      warn(`No offer: ${String(error)}`);
      if (mine !== asked) return;
      set({ status: "failed" });
    }
  }

  function retry() {
    set(loadingOffer);
    asking = ask();
  }

  function askOnce(): Promise<void> {
    if (asking !== null && (askedSignedIn !== isSignedIn(store) || (askedPlan !== null && askedPlan !== plan()))) retry();
    return (asking ??= ask());
  }

  return {
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    snapshot: () => current,
    configurationOf(product: Product) {
      const { configuration, backup } = configurationFor(compiled.definition.productConfigurations, product);
      if (backup && !warned.has(product.productId)) {
        warned.add(product.productId);
        warn(`No matching product configuration for ${product.productId}, a backup is used`);
      }
      // "Our recommendation" is what is chosen beforehand, whichever product's words it stands in.
      const { tag: _own, ...plain } = configuration;
      const { productConfigurations } = compiled.definition;
      if (current.products.length === 0 || productConfigurations.every(({ tag }) => tag === undefined)) return configuration;
      if (usualProduct(current.products, plan()).productId !== product.productId) return plain;
      return { ...plain, tag: configuration.tag ?? productConfigurations.find(({ tag }) => tag !== undefined)?.tag };
    },
    termsOf: (product) => termsOf(product, { now: now().getTime(), timeZone }),
    load: () => void askOnce(),
    select(productId) {
      const selected = current.products.find((product) => product.productId === productId);
      if (selected === undefined) return;
      store.set("product", productId);
      store.set("paymentProvider", selected.paymentProvider);
      set({ selected });
    },
    retry,
    couponCode: () => couponCode ?? typedCode(),
    async applyCoupon(typed) {
      const code = typed.trim().toUpperCase();
      const mine = asked;
      const before = current.products;
      try {
        const reduced = await priced(
          before.map(({ productId }) => productId),
          code,
        );
        if (mine !== asked) return "failed";
        if (!isCheaper(reduced, before)) return "unknown";
        store.set("coupon", code);
        const ordered = inOfferOrder(reduced);
        const chosen = ordered.find(({ productId }) => productId === current.selected?.productId);
        set({ products: ordered, coupon: code, selected: chosen ?? usualProduct(ordered, plan()) });
        return "applied";
      } catch (error) {
        warn(`No prices for a code: ${String(error)}`);
        return "failed";
      }
    },
    async chosen() {
      // What failed is asked for again: who wants to pay now need not go back to the plans.
      if (current.status === "failed") retry();
      await askOnce();
      if (current.selected === null) throw new Error("No product found!");
      return current.selected;
    },
  };
}
