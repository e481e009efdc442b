/** What of a visit goes to the data layer. */
import { majorUnits } from "#core/formats.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { Api } from "../api/client.ts";
import type { EndedRequest } from "../api/request.ts";
import type { Session } from "../session/session.ts";
import { isSignedIn, type KeyValueStore } from "../device/storage.ts";
import type { DataLayer } from "../outside/dataLayer.ts";

/** Pushes the visitor's id to the data layer as soon as there is one, and whenever it changes. */
export function watchUser(session: Pick<Session, "snapshot" | "subscribe">, push: DataLayer["push"]): void {
  let told: string | undefined;
  const tell = () => {
    const { uuid } = session.snapshot().state.user;
    if (uuid !== undefined && uuid !== told) push("user_id", { user_id: uuid });
    told = uuid ?? told;
  };
  session.subscribe(tell);
  tell();
}

/** Tells the data layer what the visitor did by comparing the states before and after, so that the session need not know it. */
export function tellMove(before: State, after: State, push: DataLayer["push"], hash: (email: string) => Promise<string | null>): void {
  const { uuid, email } = after.user;
  const questionnaire = after.id;
  if (before.selectedOptions.length === 0 && after.selectedOptions.length > 0) push("questionnaire_start", { questionnaire });
  if (!before.finished && after.finished) push("questionnaire_done", { questionnaire });
  if (!before.signupDone && after.signupDone && uuid !== undefined)
    void (email === undefined ? Promise.resolve(null) : hash(email)).then((hashed) =>
      push("me_sign_up", { user_id: uuid, ...(hashed === null ? {} : { email_sha256: hashed }) }),
    );
}

export interface PurchaseParts {
  readonly api: Pick<Api, "call">;
  readonly store: KeyValueStore;
  readonly push: DataLayer["push"];
}

/** Where a purchase ends, on the thank-you page: the purchase, once for its order however often the page is loaded; a subscription has an entry of its own (spec 001 §4). */
export async function watchPurchase({ api, store, push }: PurchaseParts): Promise<void> {
  if (!isSignedIn(store)) return;
  try {
    const paymentProvider = store.get("paymentProvider") === "paddle" ? "paddle" : "paddlebilling";
    const { status, purchase } = await api.call("paymentStatus", { body: { paymentId: "", paymentProvider } });
    if (status !== "completed" || !purchase || store.get("purchaseReported") === purchase.orderId) return;
    store.set("purchaseReported", purchase.orderId);
    const { orderId, productId, productType, productPlan, currency, couponCode } = purchase;
    const value = majorUnits(purchase.price, currency);
    push("purchase", {
      ecommerce: {
        transaction_id: orderId,
        value,
        currency,
        ...(couponCode === null ? {} : { coupon: couponCode }),
        items: [{ item_id: productId, item_category: productType, price: value, quantity: 1 }],
      },
    });
    if (productType === "subscription") push("subscription", { transaction_id: orderId, plan: productPlan });
  } catch {
    // Not known now: the page's next load asks again.
  }
}

/** A request with its status and duration; one that failed with what went wrong (spec 000 §8). */
export function tellRequest({ endpoint, status, duration, error }: EndedRequest, push: DataLayer["push"]): void {
  push("me_web_request", { endpoint, status });
  push("me_web_request_duration", { endpoint, duration: Math.round(duration) });
  if (error !== undefined) push("exception", { status, endpoint, message: error instanceof Error ? error.message : String(error) });
}
