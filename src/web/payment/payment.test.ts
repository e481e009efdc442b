import { errorCodes } from "#core/errors.ts";
import type { Product, ProductType } from "#core/products.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { mexico, questionnaire, smallQuestions } from "#test/questionnaires.ts";
import type { Paddle, PaddleEventData } from "@paddle/paddle-js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Api, createApi } from "../api/client.ts";
import { ApiError } from "../api/request.ts";
import { defaultClientConfig } from "../clientConfig.ts";
import { fakeApi, refusal } from "../session/fakeApi.ts";
import { memoryStore } from "../device/storage.ts";
import { createCheckout } from "./checkout.ts";
import type { PaddleLoader } from "./paddleScript.ts";
import type { ClassicEvent } from "./classicScript.ts";
import { lazyPayment } from "./lazyPayment.ts";
import { createOffer } from "./offer.ts";

const product = (productId: string, productPlan: string, more: Partial<Product> = {}): Product => ({
  productId,
  productType: "subscription",
  productPlan,
  currency: "MXN",
  price: 74700,
  listPrice: 99900,
  frequency: 1,
  trialDays: 7,
  paymentProvider: "paddlebilling",
  ...more,
});
const plans = [product("p12", "12M"), product("p3", "3M"), product("p1", "1M"), product("once", "6M", { productType: "onetime" })];
const compiled = compile(
  questionnaire(smallQuestions, {
    productConfigurations: [
      { productType: "subscription", productPlan: "3M", selectionTexts: { header: "3 months" }, paymentTexts: { paymentHeader: "Yours" } },
    ],
  }),
);
const answers = { courseFee: () => ({ value: plans.map(({ productId }) => productId) }), products: () => ({ products: plans }) };

function offerOf(
  api: Api = fakeApi(answers),
  store = memoryStore(),
  plan: string | (() => string) = "3M",
  questions = compiled,
  wish: () => ProductType | null = () => null,
) {
  const warn = vi.fn();
  const onSelected = vi.fn<(product: Product) => void>();
  return {
    offer: createOffer({
      api,
      store,
      compiled: questions,
      context: () => Promise.resolve(mexico),
      plan: () => (typeof plan === "string" ? plan : plan()),
      wish,
      couponCode: undefined,
      now: () => new Date("2026-11-21T03:30:00Z"),
      timeZone: "America/Mexico_City",
      onSelected,
      warn,
    }),
    selected: () => onSelected.mock.calls.map(([{ productId }]) => productId),
    store,
    warn,
  };
}

describe("the offer", () => {
  test("names the day of the next charge in the buyer's time zone", () => {
    // 21:30 on the 20th in the buyer's time zone; in UTC it is already the 21st.
    const { offer } = offerOf();
    const charged = (change: Partial<Product>) => offer.termsOf(product("p", "1M", change)).nextCharge;
    expect([charged({ trialDays: 7 }), charged({ trialDays: 0 })]).toEqual(["2026-11-27", "2026-12-20"]);
  });

  test("requests products, then prices, once; one-time comes first, three months are chosen", async () => {
    const api = fakeApi(answers);
    const { offer } = offerOf(api);
    offer.load();
    offer.load();
    expect(await offer.chosen()).toMatchObject({ productId: "p3" });
    expect(offer.snapshot().products.map(({ productId }) => productId)).toEqual(["once", "p1", "p3", "p12"]);
    expect(api.calls).toEqual([
      [
        "courseFee",
        { trafficId: null, attributes: { questionnaire: "76", plan: "3M", reactivate: false, locale: "es-419", country: "MX" } },
      ],
      ["products", { productIds: "p12,p3,p1,once", customerCountry: "MX", locale: "es-419", couponCode: undefined }],
    ]);
  });

  test("each choice is reported once, the default one too", async () => {
    const { offer, selected } = offerOf();
    await offer.chosen();
    offer.retry();
    await offer.chosen();
    for (const productId of ["p12", "p12", "p3"]) offer.select(productId);
    expect(selected()).toEqual(["p3", "p12", "p3"]);
  });

  test("a choice is stored for the next visit", async () => {
    const { offer, store } = offerOf();
    await offer.chosen();
    offer.select("p12");
    expect(await offerOf(fakeApi(answers), store).offer.chosen()).toMatchObject({ productId: "p12" });
    expect(store.get("paymentProvider")).toBe("paddlebilling");
  });

  test("for a returning customer begins with their former plan, with a coupon for 6+1 months with those, whatever they chose before", async () => {
    const month = product("p1", "1M");
    const back = [month, product("p6", "6M"), product("once", "6M", { productType: "onetime" })];
    const reducedBy = (code: unknown) => (code === "VUELVE30" ? "p6" : code === "SOLO1" ? "p1" : null);
    const api = fakeApi({
      courseFee: () => ({ value: ["p1", "p6", "once"] }),
      products: (input) => {
        const reduced = reducedBy(Reflect.get(Object(input), "couponCode"));
        return { products: back.map((one) => (one.productId === reduced ? { ...one, price: one.price / 2 } : one)) };
      },
    });
    const store = memoryStore();
    store.set("product", "once");
    const chosenWith = async (couponCode: string | undefined, of = api) => {
      const parts = { api: of, store, compiled, context: () => Promise.resolve(mexico), plan: () => "3M", warn: vi.fn() };
      const { chosen } = createOffer({ ...parts, couponCode, reactivate: true, now: () => new Date(), timeZone: "UTC" });
      return (await chosen()).productId;
    };
    expect(await chosenWith(undefined)).toBe("p1");
    expect(await chosenWith("VUELVE30")).toBe("p6");
    // A code that does not exist, and one that is not for 6+1 months.
    expect([await chosenWith("UNKNOWN"), await chosenWith("SOLO1")]).toEqual(["p1", "p1"]);
    // In another currency the server returns other products than requested.
    const elsewhere = (named: string) => fakeApi({ courseFee: () => ({ value: [named] }), products: () => ({ products: back }) });
    const named = ["subscription-1m-mxn", "onetime-6m-mxn", "subscription-12m-mxn", "other"];
    const began = await Promise.all(named.map((name) => chosenWith(undefined, elsewhere(name))));
    expect(began).toEqual(["p1", "once", "p6", "p6"]);
  });

  test("begins with the plan that fits the visitor's program, else with the cheapest that covers it", async () => {
    expect(await offerOf(fakeApi(answers), memoryStore(), "6M").offer.chosen()).toMatchObject({ productId: "once" });
    expect(await offerOf(fakeApi(answers), memoryStore(), "13M").offer.chosen()).toMatchObject({ productId: "p12" });
  });

  test("begins with and recommends the cheapest plan that covers the program, the longer one at equal cost", async () => {
    const priced = (price: number) => plans.map((plan) => (plan.productId === "p12" ? { ...plan, price } : plan));
    const compiledOnes = compile(
      questionnaire(smallQuestions, {
        productConfigurations: ["1M", "3M", "12M"].map((productPlan) => ({
          productType: "subscription",
          productPlan,
          ...(productPlan === "3M" && { tag: "Usual" }),
          selectionTexts: { header: productPlan },
          paymentTexts: { paymentHeader: "Yours" },
        })),
      }),
    );
    const chosenFor = async (plan: string, price: number) => {
      const { offer } = offerOf(fakeApi({ ...answers, products: () => ({ products: priced(price) }) }), memoryStore(), plan, compiledOnes);
      const { productId } = await offer.chosen();
      return [productId, ...plans.filter((each) => offer.configurationOf(each).tag === "Usual").map((each) => each.productId)];
    };
    expect(await chosenFor("9M", 3 * 74_700)).toEqual(["p12", "p12"]);
    expect(await chosenFor("9M", 3 * 74_700 + 1)).toEqual(["p3", "p3"]);
    expect(await chosenFor("2M", 74_701)).toEqual(["p3", "p3"]);
  });

  test("is requested again when another pace needs another plan", async () => {
    let plan = "3M";
    const api = fakeApi(answers);
    const { offer } = offerOf(api, memoryStore(), () => plan);
    expect(await offer.chosen()).toMatchObject({ productId: "p3" });
    plan = "11M";
    expect(await offer.chosen()).toMatchObject({ productId: "p12" });
    expect(api.calls.filter(([call]) => call === "courseFee")).toHaveLength(2);
  });

  test("preselects and recommends the kind of product that the visitor prefers to pay for, also after another answer", async () => {
    let wish: ProductType | null = "onetime";
    const tagged = compile(
      questionnaire(smallQuestions, {
        productConfigurations: [
          {
            productType: "subscription",
            productPlan: "3M",
            selectionTexts: { header: "a" },
            paymentTexts: { paymentHeader: "b" },
            tag: "Ours",
          },
        ],
      }),
    );
    const { offer } = offerOf(fakeApi(answers), memoryStore(), "3M", tagged, () => wish);
    const recommended = () => plans.filter((plan) => offer.configurationOf(plan).tag !== undefined).map(({ productId }) => productId);
    expect([(await offer.chosen()).productId, recommended()]).toEqual(["once", ["once"]]);
    wish = "subscription";
    expect([(await offer.chosen()).productId, recommended()]).toEqual(["p3", ["p3"]]);
  });

  /** The offer from the server's JSON of products, through the real API client. */
  const received = (products: readonly object[]) => {
    const said = (url: string) => (url.includes("course-fee") ? { value: ["p"] } : { products });
    const store = memoryStore();
    store.set("token", "h.p.s");
    const fetch = async (url: RequestInfo | URL) => Response.json(said(String(url)));
    const backend = { base: () => "/api", backends: [], callBackend: () => {} };
    return offerOf(createApi({ fetch, store, deviceUuid: "d", ...backend, now: () => new Date(), onSignedOut: () => {} }), store);
  };
  const { productPlan: _plan, ...planless } = product("p", "");

  test("a product without a plan is for one month (spec 001 §3)", async () => {
    expect(await received([planless]).offer.chosen()).toMatchObject({ productId: "p", productPlan: "1M" });
  });

  test.each([
    ["Unknown productType", [{ ...planless, productType: "rent" }]],
    ["No product found!", []],
  ])("that is impossible fails in the specification's words: %s (001 §8)", async (message, products) => {
    const { offer, warn } = received(products);
    await expect(offer.chosen()).rejects.toThrow("No product found!");
    expect(offer.snapshot().status).toBe("failed");
    expect(warn.mock.calls).toEqual([[expect.stringContaining(message)]]);
  });

  test("that failed can be requested again", async () => {
    let works = false;
    const api = fakeApi({
      ...answers,
      courseFee: () => {
        if (!works) throw new Error("offline");
        return { value: ["p3"] };
      },
    });
    const { offer, warn } = offerOf(api);
    await expect(offer.chosen()).rejects.toThrow("No product found!");
    expect(offer.snapshot().status).toBe("failed");
    expect(warn).toHaveBeenCalled();
    works = true;
    offer.retry();
    expect(await offer.chosen()).toMatchObject({ productId: "p3" });
  });

  test("is requested again after a login: an account that had a trial gets none", async () => {
    const trial = product("p3", "3M");
    const api = fakeApi({ ...answers, products: () => ({ products: [store.get("token") === null ? trial : paidAtOnce] }) });
    const store = memoryStore();
    const paidAtOnce = product("p3-notrial", "3M", { trialDays: 0, trialUsed: true });
    const { offer } = offerOf(api, store);
    expect(await offer.chosen()).toEqual(trial);
    store.set("token", "h.p.s");
    offer.load();
    expect(offer.snapshot()).toMatchObject({ status: "loading", selected: null });
    expect(await offer.chosen()).toEqual(paidAtOnce);
    offer.load();
    expect(await offer.chosen()).toEqual(paidAtOnce);
    expect(api.calls.filter(([name]) => name === "products")).toHaveLength(2);
  });

  test("is requested again in a new session, because a call of the session that has ended gets no answer", async () => {
    const ofSession = (sid: string) => `h.${btoa(JSON.stringify({ sid }))}.s`;
    const store = memoryStore();
    store.set("token", ofSession("1"));
    const courseFee = vi
      .fn()
      .mockReturnValueOnce(new Promise(() => {}))
      .mockImplementation(answers.courseFee);
    const { offer } = offerOf(fakeApi({ ...answers, courseFee }), store);
    offer.load();
    await expect.poll(() => courseFee.mock.calls).not.toEqual([]);
    store.set("token", ofSession("2"));
    offer.load();
    await expect.poll(() => courseFee.mock.calls.length).toBe(2);
    expect(await offer.chosen()).toMatchObject({ productId: "p3" });
    expect(courseFee).toHaveBeenCalledTimes(2);
  });

  test("from before a login does not replace the one from after it", async () => {
    const late = Promise.withResolvers<{ readonly products: Product[] }>();
    const asked = vi
      .fn()
      .mockReturnValueOnce(late.promise)
      .mockResolvedValue({ products: [product("p3-notrial", "3M")] });
    const store = memoryStore();
    const { offer } = offerOf(fakeApi({ ...answers, products: asked }), store);
    offer.load();
    await expect.poll(() => asked.mock.calls).not.toEqual([]);
    store.set("token", "h.p.s");
    expect(await offer.chosen()).toMatchObject({ productId: "p3-notrial" });
    late.resolve({ products: [product("p3", "3M")] });
    await expect.poll(() => offer.chosen()).toMatchObject({ productId: "p3-notrial" });
  });

  describe("with a typed coupon", () => {
    /** With the coupon, three months cost 20 % less. `good.now` is whether the server accepts it now. */
    const selling = (good: { now: boolean }) =>
      fakeApi({
        ...answers,
        products: (input) => {
          const { couponCode } = JSON.parse(JSON.stringify(input));
          const reduced = good.now && couponCode === "AMIGOS20";
          return { products: plans.map((plan) => (plan.productId === "p3" && reduced ? { ...plan, price: 59_760 } : plan)) };
        },
      });
    const priceOf = (offer: ReturnType<typeof createOffer>) => offer.snapshot().products.find(({ productId }) => productId === "p3")?.price;

    test("prices, choice and checkout use it, also on the next page", async () => {
      const api = selling({ now: true });
      const { offer, store } = offerOf(api);
      await offer.chosen();
      expect(offer.snapshot()).toMatchObject({ coupon: null, takesCoupon: true });
      expect(offer.couponCode()).toBeUndefined();
      expect(await offer.applyCoupon(" amigos20 ")).toBe("applied");
      expect(offer.snapshot()).toMatchObject({ coupon: "AMIGOS20", selected: { productId: "p3", price: 59_760 } });
      const later = offerOf(api, store).offer;
      expect(await later.chosen()).toMatchObject({ price: 59_760 });
      expect([later.snapshot().coupon, later.couponCode()]).toEqual(["AMIGOS20", "AMIGOS20"]);
    });

    test("a better one replaces it; a worse one leaves it, and an unknown one changes nothing", async () => {
      const api = fakeApi({
        ...answers,
        products: (input) => {
          const { couponCode } = JSON.parse(JSON.stringify(input));
          const percent = couponCode === "VUELVE30" ? 70 : couponCode === "AMIGOS20" ? 80 : 100;
          return { products: plans.map((plan) => ({ ...plan, price: (plan.price * percent) / 100 })) };
        },
      });
      const { offer, store } = offerOf(api);
      await offer.chosen();
      await offer.applyCoupon("AMIGOS20");
      expect(await offer.applyCoupon("VUELVE30")).toBe("applied");
      for (const [code, outcome] of [
        ["AMIGOS20", "kept"],
        ["NADA", "unknown"],
        [" vuelve30", "same"],
      ] as const) {
        expect(await offer.applyCoupon(code)).toBe(outcome);
        expect([priceOf(offer), offer.snapshot().coupon, offer.couponCode(), store.get("coupon")]).toEqual([
          52_290,
          "VUELVE30",
          "VUELVE30",
          "VUELVE30",
        ]);
      }
    });

    test("of two coupons for different plans, the one for the chosen plan is used, whichever was typed first", async () => {
      const api = fakeApi({
        ...answers,
        products: (input) => {
          const { couponCode } = JSON.parse(JSON.stringify(input));
          const of: Readonly<Record<string, string>> = { TRES: "p3", DOCE: "p12" };
          return { products: plans.map((plan) => (of[couponCode] === plan.productId ? { ...plan, price: plan.price / 2 } : plan)) };
        },
      });
      const { offer } = offerOf(api);
      await offer.chosen();
      expect([await offer.applyCoupon("DOCE"), await offer.applyCoupon("TRES"), await offer.applyCoupon("DOCE")]).toEqual([
        "applied",
        "applied",
        "kept",
      ]);
      offer.select("p1");
      expect(await offer.applyCoupon("DOCE")).toBe("applied");
    });

    test("one that makes another plan the cheapest moves neither choice nor recommendation, also on the next page or without a choice", async () => {
      const api = fakeApi({
        ...answers,
        products: (input) => ({
          products: plans.map((plan) =>
            plan.productId === "p12" ? { ...plan, price: JSON.stringify(input).includes("VUELVE30") ? 133_560 : 190_800 } : plan,
          ),
        }),
      });
      const store = memoryStore();
      const tagged = compile(
        questionnaire(smallQuestions, {
          productConfigurations: ["3M", "12M"].map((productPlan) => ({
            productType: "subscription",
            productPlan,
            ...(productPlan === "3M" && { tag: "Ours" }),
            selectionTexts: { header: "a" },
            paymentTexts: { paymentHeader: "b" },
          })),
        }),
      );
      const offerFor5Months = () =>
        createOffer({
          api,
          store,
          compiled: tagged,
          context: () => Promise.resolve(mexico),
          plan: () => "5M",
          couponCode: undefined,
          now: () => new Date("2026-11-21T03:30:00Z"),
          timeZone: "America/Mexico_City",
          warn: () => {},
        });
      const shown = (offer: ReturnType<typeof createOffer>) => [
        offer.snapshot().selected?.productId,
        ...plans.filter((plan) => offer.configurationOf(plan).tag !== undefined).map(({ productId }) => productId),
      ];
      const offer = offerFor5Months();
      await offer.chosen();
      expect(shown(offer)).toEqual(["p3", "p3"]);
      expect(await offer.applyCoupon("VUELVE30")).toBe("applied");
      expect(shown(offer)).toEqual(["p3", "p3"]);
      expect(store.get("product")).toBeNull();
      const next = offerFor5Months();
      await next.chosen();
      expect(shown(next)).toEqual(["p3", "p3"]);
    });

    test("one without a discount is called unknown and changes nothing", async () => {
      const { offer, store } = offerOf(selling({ now: true }));
      await offer.chosen();
      expect(await offer.applyCoupon("NADA")).toBe("unknown");
      expect([priceOf(offer), offer.snapshot().coupon, offer.couponCode(), store.get("coupon")]).toEqual([74_700, null, undefined, null]);
    });

    test("one that has expired meanwhile is neither shown nor charged", async () => {
      const good = { now: true };
      const { offer, store } = offerOf(selling(good));
      await offer.chosen();
      await offer.applyCoupon("AMIGOS20");
      good.now = false;
      const later = offerOf(selling(good), store).offer;
      await later.chosen();
      expect([priceOf(later), later.snapshot().coupon, later.couponCode(), store.get("coupon")]).toEqual([74_700, null, undefined, null]);
    });

    test("after a failed call it can be tried again", async () => {
      const { offer } = offerOf(
        fakeApi({
          ...answers,
          products: (_input, time) => {
            if (time > 0) throw new Error("offline");
            return { products: plans };
          },
        }),
      );
      await offer.chosen();
      expect(await offer.applyCoupon("AMIGOS20")).toBe("failed");
      expect(offer.snapshot().coupon).toBeNull();
    });
  });

  test("with its own coupon accepts no other", async () => {
    const store = memoryStore();
    store.set("coupon", "AMIGOS20");
    const offer = createOffer({
      api: fakeApi(answers),
      store,
      compiled,
      context: () => Promise.resolve(mexico),
      plan: () => "3M",
      couponCode: "PARLANDO50",
      now: () => new Date("2026-11-21T03:30:00Z"),
      timeZone: "America/Mexico_City",
      warn: () => {},
    });
    await offer.chosen();
    expect([offer.snapshot().takesCoupon, offer.snapshot().coupon, offer.couponCode()]).toEqual([false, null, "PARLANDO50"]);
  });

  test("a product without a configuration of its own gets a backup and one warning (spec 001 §8)", () => {
    const { offer, warn } = offerOf();
    for (let time = 0; time < 3; time += 1) expect(offer.configurationOf(product("p1", "1M")).productPlan).toBe("3M");
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A fake Paddle: records what was opened, and can emit events. */
function fakePaddle() {
  const opened: unknown[] = [];
  let say: (event: PaddleEventData) => void = () => {};
  const loaded: Pick<Paddle, "Checkout"> = {
    Checkout: { open: (options) => void opened.push(options), close: () => {}, updateCheckout: () => {}, updateItems: () => {} },
  };
  const load: PaddleLoader = async (_config, onEvent) => {
    say = onEvent;
    return loaded;
  };
  return { load, opened, say: (name: string, more: object = {}) => say(JSON.parse(JSON.stringify({ name, ...more }))) };
}

function checkoutOf(
  load: PaddleLoader,
  api = fakeApi({
    createTransaction: () => ({ transactionId: "txn_1" }),
    payLink: () => ({ url: "https://pay.example/1", id: "1" }),
    payLinkMail: () => ({}),
    paymentStatus: () => ({ status: "pending" as const }),
  }),
  more: Partial<Parameters<typeof createCheckout>[0]> = {},
) {
  const stages: (readonly [string, string?])[] = [];
  const done = vi.fn();
  const left: string[] = [];
  const checkout = createCheckout({
    api,
    config: defaultClientConfig,
    onNotSold: () => {},
    loadPaddle: load,
    loadClassic: () => Promise.reject(new Error("not this one")),
    locale: "es-419",
    theme: () => "Kosmo",
    product: () => Promise.resolve(product("p3", "3M")),
    couponCode: () => undefined,
    timeZone: "America/Mexico_City",
    email: () => "ana@example.com",
    returnPath: () => "/es-latam/habla-ingles/76/82/",
    bare: () => false,
    onStage: (stage, error) => void stages.push(error === undefined ? [stage] : [stage, error]),
    onCompleted: done,
    leaveTo: (url) => void left.push(url),
    ...more,
  });
  return { checkout, stages, done, left, api };
}

const link = {
  productId: "p3",
  returnPath: "/es-latam/habla-ingles/76/82/",
  paymentProvider: "paddlebilling",
  language: "es-419",
  plan: "3M",
  couponCode: undefined,
  timeZone: "America/Mexico_City",
};

describe("the checkout", () => {
  test("opens the provider's form for our order in the block's frame and reports its stages", async () => {
    const paddle = fakePaddle();
    const { checkout, stages, done } = checkoutOf(paddle.load);
    checkout.open("frame-1");
    await vi.runAllTimersAsync();
    expect(paddle.opened).toMatchObject([
      {
        transactionId: "txn_1",
        customer: { email: "ana@example.com" },
        settings: { displayMode: "inline", frameTarget: "frame-1", locale: "es", theme: "dark" },
      },
    ]);
    for (const name of ["checkout.loaded", "checkout.something.new", "checkout.payment.selected", "checkout.payment.initiated"])
      paddle.say(name);
    expect(checkout.snapshot().status).toBe("open");
    paddle.say("checkout.payment.failed", { detail: "declined" });
    paddle.say("checkout.completed");
    expect(stages).toEqual([["opened"], ["payment-selected"], ["error", "declined"], ["completed"]]);
    expect(done).toHaveBeenCalledTimes(1);
  });

  test("the provider's events become the specification's stages: customer details, method selection, selected method, error (spec 001 §4)", async () => {
    const paddle = fakePaddle();
    const { checkout, stages } = checkoutOf(paddle.load);
    checkout.open("frame-1");
    await vi.runAllTimersAsync();
    paddle.say("checkout.customer.created", { data: { id: "che_1" } });
    paddle.say("checkout.payment.selected");
    paddle.say("checkout.error", { detail: "no such price" });
    expect(stages).toEqual([["opened"], ["customer-details"], ["payment-selection"], ["payment-selected"], ["error", "no such price"]]);
  });

  test("a script that does not load fails the checkout, which can be tried again", async () => {
    const paddle = fakePaddle();
    let works = false;
    const { checkout, stages } = checkoutOf((...config) => (works ? paddle.load(...config) : Promise.reject(new Error("blocked"))));
    checkout.open("frame-1");
    await vi.runAllTimersAsync();
    expect([checkout.snapshot().status, stages.at(-1)]).toEqual(["failed", ["error", "Error: blocked"]]);
    works = true;
    checkout.open("frame-1");
    await vi.runAllTimersAsync();
    expect(paddle.opened).toHaveLength(1);
  });

  test.each(["paddlebilling", "paddle"] as const)(
    "an order of %s that was paid elsewhere, by the mailed link, is completed although the form's script does not load here",
    async (paymentProvider) => {
      const api = fakeApi({
        createTransaction: () => ({ transactionId: "1" }),
        payLink: () => ({ url: "https://pay.example/1", id: "1" }),
        paymentStatus: () => ({ status: "completed" as const }),
      });
      const { checkout, stages, done } = checkoutOf(() => Promise.reject(new Error("blocked")), api, {
        product: () => Promise.resolve(product("p3", "3M", { paymentProvider })),
      });
      checkout.open("frame-1");
      await vi.runAllTimersAsync();
      expect(done).toHaveBeenCalledTimes(1);
      expect(api.calls).toContainEqual(["paymentStatus", { paymentId: "1", paymentProvider }]);
      expect(stages).toEqual([["opened"]]);
    },
  );

  test.each([
    ["an order for what is not sold is a failed checkout", 1200, "failed"],
    ["a provider that does not answer is told apart from a form that does not come", 1202, "down"],
    ["too many checkouts in a row are told apart from a form that does not come", 1429, "limited"],
  ] as const)("%s", async (_name, code, status) => {
    const refused = fakeApi({
      createTransaction: () => {
        throw new ApiError(errorCodes[code].status, "/api/create-transaction", code, errorCodes[code].message, {});
      },
    });
    const { checkout } = checkoutOf(fakePaddle().load, refused);
    checkout.open("frame-1");
    await vi.runAllTimersAsync();
    expect(checkout.snapshot().status).toBe(status);
  });

  test("a refused product reloads the offer, once per product", async () => {
    const onNotSold = vi.fn();
    const api = fakeApi({
      createTransaction: () => {
        throw refusal(1200);
      },
    });
    const { checkout } = checkoutOf(fakePaddle().load, api, { onNotSold });
    for (let time = 0; time < 3; time++) {
      checkout.open("frame-1");
      await vi.runAllTimersAsync();
    }
    expect(checkout.snapshot().status).toBe("failed");
    expect(onNotSold).toHaveBeenCalledOnce();
  });

  test("a form that is closed while it loads does not open", async () => {
    const paddle = fakePaddle();
    const { checkout } = checkoutOf(paddle.load);
    checkout.open("frame-1");
    checkout.close();
    await vi.runAllTimersAsync();
    expect([paddle.opened, checkout.snapshot().status]).toEqual([[], "idle"]);
  });

  test("the hosted page is requested on demand, with the return path", async () => {
    const { checkout, api, left } = checkoutOf(fakePaddle().load);
    expect(await checkout.openHosted()).toBe(true);
    expect(api.calls).toEqual([
      ["payLink", link],
      ["paymentStatus", { paymentId: "1", paymentProvider: "paddlebilling" }],
    ]);
    expect(left).toEqual(["https://pay.example/1"]);
  });

  test("the hosted page leads back with `hf`, a mailed one without (spec 001 §2)", async () => {
    const { checkout, api } = checkoutOf(fakePaddle().load, undefined, { bare: () => true });
    await checkout.openHosted();
    await checkout.mailLink();
    expect(api.calls).toMatchObject([
      ["payLink", { ...link, returnPath: `${link.returnPath}?hf` }],
      ["paymentStatus", {}],
      ["payLinkMail", link],
    ]);
  });

  test("a failed pay link is empty: it leads nowhere, opens no form, and the failure is shown (spec 001 §7)", async () => {
    const refused = (code: 1202 | 1429) =>
      fakeApi({
        payLink: () => {
          throw new ApiError(502, "/api/pay-link", code, errorCodes[code].message, {});
        },
      });
    const hosted = checkoutOf(fakePaddle().load, refused(1202));
    expect(await hosted.checkout.openHosted()).toBe(false);
    expect([hosted.left, hosted.stages.map(([stage]) => stage)]).toEqual([[], ["error"]]);
    expect(hosted.api.calls.map(([call]) => call)).toEqual(["payLink"]);
    for (const [code, status] of [
      [1202, "down"],
      [1429, "limited"],
    ] as const) {
      const opened: unknown[] = [];
      const classic = checkoutOf(fakePaddle().load, refused(code), {
        product: () => Promise.resolve(product("p3", "3M", { paymentProvider: "paddle" })),
        loadClassic: async () => ({ Checkout: { open: (opening) => void opened.push(opening), close: () => {} } }),
      });
      classic.checkout.open("frame-1");
      await vi.runAllTimersAsync();
      expect([opened, classic.checkout.snapshot().status]).toEqual([[], status]);
    }
  });

  test("the mailed link is for the same order; a failure to send it is shown", async () => {
    const { checkout, api } = checkoutOf(fakePaddle().load);
    expect(await checkout.mailLink()).toBe(true);
    expect(api.calls).toEqual([["payLinkMail", link]]);
    expect(await checkoutOf(fakePaddle().load, fakeApi({})).checkout.mailLink()).toBe(false);
  });

  test("an order paid in another tab or before Back is not paid again, neither in the form nor on the hosted page", async () => {
    const paid = (status: "completed" | "failed" = "completed") =>
      fakeApi({
        createTransaction: () => ({ transactionId: "txn_1" }),
        payLink: () => ({ url: "https://pay.example/1", id: "1" }),
        paymentStatus: () => ({ status }),
      });
    const first = checkoutOf(fakePaddle().load, paid());
    first.checkout.open("frame-1");
    await vi.runAllTimersAsync();
    expect([first.done.mock.calls.length, first.api.calls.at(-1)]).toEqual([
      1,
      ["paymentStatus", { paymentId: "txn_1", paymentProvider: "paddlebilling" }],
    ]);
    const second = checkoutOf(fakePaddle().load, paid());
    await second.checkout.openHosted();
    expect([second.done.mock.calls.length, second.left]).toEqual([1, []]);
    // With another amount (decision 086).
    const third = checkoutOf(fakePaddle().load, paid("failed"));
    await third.checkout.openHosted();
    expect([third.done.mock.calls.length, third.left]).toEqual([1, []]);
  });

  test.each([
    ["was cancelled by another plan in another tab shows a failure", "cancelled", ["failed", 0]],
    [
      "was paid with another amount in another tab leads to the page with the result: it would say that nothing was charged",
      "failed",
      ["open", 1],
    ],
  ] as const)("a form whose order %s", async (_, ended, shown) => {
    let status: "pending" | typeof ended = "pending";
    const paddle = fakePaddle();
    const { checkout, done } = checkoutOf(
      paddle.load,
      fakeApi({ createTransaction: () => ({ transactionId: "txn_1" }), paymentStatus: () => ({ status }) }),
    );
    checkout.open("frame-1");
    await vi.runAllTimersAsync();
    paddle.say("checkout.loaded");
    expect(checkout.snapshot().status).toBe("open");
    status = ended;
    paddle.say("checkout.payment.error", { detail: "canceled" });
    await vi.runAllTimersAsync();
    expect([checkout.snapshot().status, done.mock.calls.length]).toEqual(shown);
  });

  test("Paddle Classic's form opens with the pay link, and its events become the same stages (spec 001 §4)", async () => {
    const opened: unknown[] = [];
    let say: (event: ClassicEvent) => void = () => {};
    const { checkout, stages, done, api } = checkoutOf(fakePaddle().load, undefined, {
      product: () => Promise.resolve(product("p3", "3M", { paymentProvider: "paddle" })),
      loadClassic: async (_config, onEvent) => {
        say = onEvent;
        return { Checkout: { open: (opening) => void opened.push(opening), close: () => {} } };
      },
    });
    checkout.open("frame-1");
    await vi.runAllTimersAsync();
    expect(opened).toMatchObject([
      { override: "https://pay.example/1", method: "inline", frameTarget: "frame-1", locale: "es", email: "ana@example.com" },
    ]);
    expect(api.calls).toEqual([
      ["payLink", { ...link, paymentProvider: "paddle" }],
      ["paymentStatus", { paymentId: "1", paymentProvider: "paddle" }],
    ]);
    for (const event of ["Checkout.Loaded", "Checkout.Customer.Details", "Checkout.Payment.Selection", "Checkout.Payment.Selected"])
      say({ event });
    expect(checkout.snapshot().status).toBe("open");
    say({ event: "Checkout.Error", eventData: { error: "declined" } });
    for (const event of ["Checkout.PaymentComplete", "Checkout.Complete"]) say({ event });
    expect(stages).toEqual([
      ["opened"],
      ["customer-details"],
      ["payment-selection"],
      ["payment-selected"],
      ["error", "declined"],
      ["completed"],
    ]);
    expect(done).toHaveBeenCalledTimes(1);
  });
});

describe("offer and checkout before they have loaded", () => {
  test("load with the first call, which then runs", async () => {
    const { offer } = offerOf();
    const paddle = fakePaddle();
    const { checkout } = checkoutOf(paddle.load);
    const load = vi.fn(async () => ({ offer, checkout }));
    const payment = lazyPayment(load, vi.fn());
    const changed = vi.fn();
    payment.offer.subscribe(changed);
    expect([payment.offer.snapshot().status, load.mock.calls.length]).toEqual(["loading", 0]);
    payment.offer.load();
    payment.checkout.open("frame-1");
    await vi.runAllTimersAsync();
    expect([payment.offer.snapshot().status, paddle.opened.length, load.mock.calls.length]).toEqual(["ready", 1, 1]);
    expect(changed).toHaveBeenCalled();
  });

  test("that fail to load make the hosted page and the mailed link fail too", async () => {
    const payment = lazyPayment(() => Promise.reject(new Error("offline")), vi.fn());
    expect(await Promise.all([payment.checkout.openHosted(), payment.checkout.mailLink()])).toEqual([false, false]);
  });

  test("know no product's texts yet (spec 001 §8)", () => {
    const payment = lazyPayment(() => new Promise(() => {}), vi.fn());
    expect(() => payment.offer.configurationOf(product("p3", "3M"))).toThrow("No ProductsProvider found!");
  });

  test("a failed load is tried again with the next call", async () => {
    const { offer } = offerOf();
    const { checkout } = checkoutOf(fakePaddle().load);
    const report = vi.fn();
    const load = vi.fn(async () => ({ offer, checkout })).mockRejectedValueOnce(new Error("offline"));
    const payment = lazyPayment(load, report);
    const seen: string[] = [];
    payment.offer.subscribe(() => seen.push(`${payment.offer.snapshot().status} ${payment.checkout.snapshot().status}`));
    payment.offer.load();
    await vi.runAllTimersAsync();
    payment.offer.retry();
    await vi.runAllTimersAsync();
    expect([report.mock.calls.length, payment.offer.snapshot().status]).toEqual([1, "ready"]);
    // Meanwhile the failure is shown, with buttons to try again.
    expect(seen.slice(0, 2)).toEqual(["failed failed", "loading idle"]);
  });
});
