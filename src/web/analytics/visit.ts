/** Pushes a visit's milestones to the data layer: user, start, end, sign-up, purchase and requests. */
import { majorUnits } from "#core/formats.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { Api } from "../api/client.ts";
import type { EndedRequest } from "../api/request.ts";
import type { Session } from "../session/session.ts";
import { isSignedIn, type KeyValueStore } from "../device/storage.ts";
import type { DataLayer } from "../outside/dataLayer.ts";

/** Pushes the visitor's id to the data layer, now and whenever it changes. */
export function watchUser(session: Pick<Session, "snapshot" | "subscribe">, push: DataLayer["push"]): void {
  let pushedId: string | undefined;
  const pushId = () => {
    const { uuid } = session.snapshot().state.user;
    if (uuid !== undefined && uuid !== pushedId) push("user_id", { user_id: uuid });
    pushedId = uuid ?? pushedId;
  };
  session.subscribe(pushId);
  pushId();
}

/** Compares the states before and after an action to find what to push, so that the session need not know the data layer. */
export function pushMove(before: State, after: State, push: DataLayer["push"], hash: (email: string) => Promise<string | null>): void {
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

/** Pushes a completed purchase, once per order, and an entry of its own for a subscription (spec 001 §4). */
export async function pushPurchase({ api, store, push }: PurchaseParts): Promise<void> {
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
    // The status is unknown. The page's next load asks again.
  }
}

/** Pushes a request's status and duration, and the error if it failed (spec 000 §8). */
export function pushRequest({ endpoint, status, duration, error }: EndedRequest, push: DataLayer["push"]): void {
  push("me_web_request", { endpoint, status });
  push("me_web_request_duration", { endpoint, duration: Math.round(duration) });
  if (error !== undefined) push("exception", { status, endpoint, message: error instanceof Error ? error.message : String(error) });
}
