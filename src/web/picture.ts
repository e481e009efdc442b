/**
 * The studio's picture of a page: what this visitor saw after hydration. No script runs in it, so the server stands in for the device: a
 * signed-in visitor, with the products that are on sale in their country.
 */
import { courseFee } from "#content/questionnaires/courseFee.ts";
import { products } from "#content/catalog/products.ts";
import { marketingConsentCountries } from "#core/countries.ts";
import { pricedCountry } from "#core/localeReach.ts";
import { planLabel } from "#core/money.ts";
import { defaultProduct, inOfferOrder } from "#core/offers.ts";
import { paymentProviders } from "#core/products.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { pictureQuery } from "#core/release.ts";
import { wishedProductType } from "#core/questionnaire/wishedProduct.ts";
import { termsOf } from "#core/terms.ts";
import { memoryStore } from "./device/storage.ts";
import { spreadDays } from "./pages/questionnaire/question/spreadDays.ts";
import { configurationOf, type OfferService } from "./payment/offer.ts";
import type { OfferSnapshot } from "./payment/snapshots.ts";
import { type Services, silentServices } from "./services.ts";
import { renderedSnapshot, type Snapshot } from "./session/session.ts";

export const isPicture = (query: URLSearchParams): boolean => query.has(pictureQuery);

/** The context of the visitor whose page the picture shows; what the address does not name is the usual for the locale. */
export function picturedContext(query: URLSearchParams, context: Context): Context {
  const [country, platform] = [query.get("country") ?? "", query.get("platform")];
  const of = /^[A-Z]{2}$/.test(country) ? country : pricedCountry[context.locale];
  return {
    ...context,
    country: of,
    platform: platform === "android" || platform === "apple" ? platform : "other",
    requiresMarketingConsent: marketingConsentCountries.has(of),
  };
}

/** A screen after the choice of schedule and days has both: without them it would be empty. Unknown ones are the middle schedule, spread over the week. */
export function picturedSnapshot(compiled: CompiledQuestionnaire, context: Context, answers: string, questionId: number): Snapshot {
  const { questions, schedules } = compiled.definition;
  const placeOf = (what: "choosesSchedule" | "choosesDays") => questions.findIndex(({ id }) => compiled.nodes[id]?.[what]);
  const place = questions.findIndex(({ id }) => id === questionId);
  const isAfter = (what: "choosesSchedule" | "choosesDays") => placeOf(what) >= 0 && placeOf(what) < place;
  const rendered = (code: string) => ({ ...renderedSnapshot(compiled, context, code), live: true });

  const middle = schedules[Math.floor(schedules.length / 2)];
  const knowsSchedule = /(?:^|~)s\d/.test(answers) || !isAfter("choosesSchedule") || middle === undefined;
  const withSchedule = knowsSchedule ? answers : `${answers}~s${middle.id}`;
  const shown = rendered(withSchedule);
  const days = spreadDays[shown.state.studySchedule?.practiseDaysPerWeek ?? 0];
  if (shown.state.days.length > 0 || days === undefined || !isAfter("choosesDays")) return shown;
  return rendered(`${withSchedule}~d${days.join("")}`);
}

/** The services of a signed-in visitor whose offer has loaded. Prices are today's, without a coupon. */
export function picturedServices(compiled: CompiledQuestionnaire, { state, context }: Snapshot): Services {
  const silent = silentServices();
  const store = memoryStore();
  store.set("token", "picture");
  const wanted = planLabel(state.studySchedule?.months);
  const wish = wishedProductType(compiled, state);
  const { id: questionnaire } = compiled.definition;
  const sold = courseFee(
    { questionnaire, plan: wanted, reactivate: false, locale: context.locale, country: context.country },
    paymentProviders,
  );
  const offered = inOfferOrder(products.filter(({ productId }) => sold.includes(productId)));
  if (offered.length === 0) return { ...silent, store };
  const snapshot: OfferSnapshot = {
    status: "ready",
    products: offered,
    selected: defaultProduct(offered, wanted, wish),
    coupon: null,
    takesCoupon: true,
  };
  const offer: OfferService = {
    ...silent.offer,
    snapshot: () => snapshot,
    configurationOf: configurationOf(
      { compiled, plan: () => wanted, wish: () => wish, warn: (message) => console.warn(message) },
      () => offered,
    ),
    termsOf: (product) => termsOf(product, { now: Date.parse(`${context.today}T12:00:00Z`), timeZone: "UTC" }),
  };
  return { ...silent, store, offer, paymentFor: () => ({ offer, checkout: silent.checkout }) };
}
