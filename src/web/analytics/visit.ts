/** What of a visit goes to the data layer: told from how the session changes, so that the session knows nothing of it. */
import { type Api, ApiError } from "../api/client.ts";
import type { Session } from "../session/session.ts";
import { isSignedIn, type KeyValueStore } from "../session/storage.ts";
import type { DataLayer } from "./dataLayer.ts";

export function watchSession(session: Session, push: DataLayer["push"], hash: (email: string) => Promise<string | null>): () => void {
  const questionnaire = session.compiled.definition.id;
  let before = session.snapshot().state;
  if (before.user.uuid !== undefined) push("user_id", { user_id: before.user.uuid });
  return session.subscribe(() => {
    const { state } = session.snapshot();
    const earlier = before;
    before = state;
    const { uuid, email } = state.user;
    if (uuid !== undefined && uuid !== earlier.user.uuid) push("user_id", { user_id: uuid });
    if (earlier.selectedOptions.length === 0 && state.selectedOptions.length > 0) push("questionnaire_start", { questionnaire });
    if (!earlier.finished && state.finished) push("questionnaire_done", { questionnaire });
    if (!earlier.signupDone && state.signupDone && uuid !== undefined)
      void (email === undefined ? Promise.resolve(null) : hash(email)).then((hashed) =>
        push("me_sign_up", { user_id: uuid, ...(hashed === null ? {} : { email_sha256: hashed }) }),
      );
  });
}

export interface PurchaseParts {
  readonly api: Pick<Api, "call">;
  readonly store: KeyValueStore;
  readonly push: DataLayer["push"];
}

/** On the thank-you page: the purchase, once for its order however often the page is loaded; a subscription has an entry of its own (spec 001 §4). */
export async function watchPurchase({ api, store, push }: PurchaseParts): Promise<void> {
  if (!isSignedIn(store)) return;
  try {
    const paymentProvider = store.get("paymentProvider") === "paddle" ? "paddle" : "paddlebilling";
    const { status, purchase } = await api.call("paymentStatus", { body: { paymentId: "", paymentProvider } });
    if (status !== "completed" || !purchase || store.get("purchaseReported") === purchase.orderId) return;
    store.set("purchaseReported", purchase.orderId);
    const { orderId, productId, productType, productPlan, currency, couponCode } = purchase;
    const value = purchase.price / 100;
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

/** Each call with its status and duration; one that failed with what went wrong (spec 000 §8). @param now milliseconds */
export function watchRequest(endpoint: string, answer: Promise<unknown>, push: DataLayer["push"], now: () => number): void {
  const started = now();
  const ended = (status: number) => {
    push("me_web_request", { endpoint, status });
    push("me_web_request_duration", { endpoint, duration: Math.round(now() - started) });
  };
  answer.then(
    () => ended(200),
    (error: unknown) => {
      const status = error instanceof ApiError ? error.status : 0;
      ended(status);
      push("exception", { status, endpoint, message: error instanceof Error ? error.message : String(error) });
    },
  );
}
