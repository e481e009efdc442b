/** What is sold to this visitor (spec 001 §7): which products, what they cost here, and which one is chosen. */
import type { Offer } from "#blocks/view.ts";
import { configurationFor, inOfferOrder, usualProduct } from "#core/offers.ts";
import type { Product } from "#core/products.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Api } from "../api/client.ts";
import { readDevice } from "../session/device.ts";
import { isSignedIn, type KeyValueStore } from "../session/storage.ts";
import { loadingOffer } from "./start.ts";

export type OfferSnapshot = Pick<Offer, "status" | "products" | "selected">;

export interface OfferService {
  readonly subscribe: (changed: () => void) => () => void;
  readonly snapshot: () => OfferSnapshot;
  readonly configurationOf: Offer["configurationOf"];
  /** Asks for the products unless they are here or on their way. */
  readonly load: () => void;
  readonly select: (productId: string) => void;
  readonly retry: () => void;
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
  /** For someone who comes back: one plan, in one frame (spec 001 §2). */
  readonly reactivate?: boolean;
  /** Told of the chosen product: the usual one first, then with each other choice. */
  readonly onSelected?: (product: Product) => void;
  readonly warn: (message: string) => void;
}

export function createOffer({
  api,
  store,
  compiled,
  context,
  plan,
  couponCode,
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
  let told: string | undefined;

  function set(change: Partial<OfferSnapshot>) {
    current = { ...current, ...change };
    const { selected } = current;
    if (selected !== null && selected.productId !== told) onSelected?.(selected);
    told = selected?.productId ?? told;
    for (const listener of listeners) listener();
  }

  let asked = 0;
  async function ask() {
    const mine = ++asked;
    askedSignedIn = isSignedIn(store);
    const { locale, country } = await context();
    const wanted = plan();
    try {
      const { value } = await api.call("courseFee", {
        body: {
          trafficId: readDevice(store)?.cid ?? null,
          attributes: { questionnaire: compiled.definition.id, plan: wanted, reactivate, locale, country },
        },
      });
      const { products } = await api.call("products", {
        query: { productIds: value.join(","), customerCountry: country, locale, couponCode },
      });
      if (mine !== asked) return;
      const ordered = inOfferOrder(products);
      const kept = ordered.find(({ productId }) => productId === store.get("product"));
      set({ status: "ready", products: ordered, selected: kept ?? usualProduct(ordered, wanted) });
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
    if (asking !== null && askedSignedIn !== isSignedIn(store)) retry();
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
      return configuration;
    },
    load: () => void askOnce(),
    select(productId) {
      const selected = current.products.find((product) => product.productId === productId);
      if (selected === undefined) return;
      store.set("product", productId);
      store.set("paymentProvider", selected.paymentProvider);
      set({ selected });
    },
    retry,
    async chosen() {
      // What failed is asked for again: who wants to pay now need not go back to the plans.
      if (current.status === "failed") retry();
      await askOnce();
      if (current.selected === null) throw new Error("No product found!");
      return current.selected;
    },
  };
}
