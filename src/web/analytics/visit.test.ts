import { compile } from "#core/questionnaire/compile.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { describe, expect, test, vi } from "vitest";
import { fakeApi, refusal } from "../session/fakeApi.ts";
import { frozenSession, renderedSnapshot, type Snapshot } from "../session/session.ts";
import { memoryStore } from "../session/storage.ts";
import { watchPurchase, watchRequest, watchSession } from "./visit.ts";

describe("a session's way to the data layer", () => {
  test("tells the visitor's id, the start, the sign-up with a hashed address, and the end, once each", async () => {
    const compiled = compile(smallQuestionnaire);
    let snapshot: Snapshot = renderedSnapshot(compiled, mexico, "");
    let changed = () => {};
    const session = {
      ...frozenSession(compiled, snapshot),
      snapshot: () => snapshot,
      subscribe: (listener: () => void) => {
        changed = listener;
        return () => {};
      },
    };
    const push = vi.fn();
    watchSession(session, push, async () => "hash");
    const change = (state: Partial<Snapshot["state"]>) => {
      snapshot = { ...snapshot, state: { ...snapshot.state, ...state } };
      changed();
      changed();
    };
    change({ user: { uuid: "u1" } });
    change({ selectedOptions: [{ questionId: 2, optionId: 1 }] });
    change({ user: { uuid: "u1", email: "ana@example.com" } });
    change({ signupDone: true });
    change({ finished: true });
    await new Promise((resolve) => setImmediate(resolve));
    const questionnaire = smallQuestionnaire.id;
    expect(push.mock.calls.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ["me_sign_up", { user_id: "u1", email_sha256: "hash" }],
      ["questionnaire_done", { questionnaire }],
      ["questionnaire_start", { questionnaire }],
      ["user_id", { user_id: "u1" }],
    ]);
  });
});

describe("a purchase", () => {
  const purchase = {
    orderId: "o1",
    productId: "3M-subscription-MXN",
    productType: "subscription",
    productPlan: "3M",
    currency: "MXN",
    price: 89_900,
    trialDays: 7,
    couponCode: null,
  } as const;
  const signedIn = () => {
    const store = memoryStore();
    store.set("token", "t");
    return store;
  };

  test("is told once for its order, even when the page is loaded again, and a subscription as one too", async () => {
    const store = signedIn();
    const push = vi.fn();
    const api = fakeApi({ paymentStatus: () => ({ status: "completed", purchase }) });
    await watchPurchase({ api, store, push });
    await watchPurchase({ api, store, push });
    expect(push.mock.calls).toEqual([
      [
        "purchase",
        {
          ecommerce: {
            transaction_id: "o1",
            value: 899,
            currency: "MXN",
            items: [{ item_id: "3M-subscription-MXN", item_category: "subscription", price: 899, quantity: 1 }],
          },
        },
      ],
      ["subscription", { transaction_id: "o1", plan: "3M" }],
    ]);
  });

  test("that is not completed, not known or nobody's is not told", async () => {
    const push = vi.fn();
    await watchPurchase({ api: fakeApi({ paymentStatus: () => ({ status: "pending" }) }), store: signedIn(), push });
    await watchPurchase({ api: fakeApi({}), store: signedIn(), push });
    const api = fakeApi({ paymentStatus: () => ({ status: "completed", purchase }) });
    await watchPurchase({ api, store: memoryStore(), push });
    expect([push.mock.calls, api.calls]).toEqual([[], []]);
  });
});

describe("a call", () => {
  test("is told with its status and duration, and a failed one with its endpoint and message (spec 000 §8)", async () => {
    const push = vi.fn();
    let now = 100;
    const times = () => (now += 40);
    watchRequest("products", Promise.resolve({}), push, times);
    watchRequest("signup", Promise.reject(refusal(1101)), push, times);
    watchRequest("geo", Promise.reject(new TypeError("Failed to fetch")), push, times);
    await new Promise((resolve) => setImmediate(resolve));
    const of = (name: string) => push.mock.calls.filter(([event]) => event === name).map(([, entry]) => entry);
    expect(of("me_web_request")).toEqual([
      { endpoint: "products", status: 200 },
      { endpoint: "signup", status: 409 },
      { endpoint: "geo", status: 0 },
    ]);
    expect(of("me_web_request_duration")).toHaveLength(3);
    expect(of("exception")).toEqual([
      { status: 409, endpoint: "signup", message: "409 error on /api/test: The e-mail is registered." },
      { status: 0, endpoint: "geo", message: "Failed to fetch" },
    ]);
  });
});
