/** A simulated page for a block's view, used by the gallery and the blocks' tests. */
import { formatsFor } from "#core/formats.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import type { PictureSource } from "#core/pictures.ts";
import type { Product } from "#core/products.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Level, ProductConfiguration, Questionnaire, StudySchedule } from "#core/questionnaire/definition.ts";
import { type Plan, planFrom } from "#core/questionnaire/plan.ts";
import type { State } from "#core/questionnaire/state.ts";
import { termsOf } from "#core/terms.ts";
import { fillText, plainText, type TextValues } from "#core/text.ts";
import { richText } from "#ui/richText.tsx";
import type { SignupFields } from "./block.ts";
import type { BlockType } from "./specs.ts";
import type { BlockSite, Checkout, Offer } from "./view.ts";

const exampleToday = "2026-11-20";
const exampleMoment = { now: Date.UTC(2026, 10, 20, 18), timeZone: "America/Mexico_City" };

export const exampleState: State = {
  id: "76",
  signupDone: true,
  finished: false,
  visitedQuestionIds: [2, 3, 40, 41],
  selectedOptions: [
    { questionId: 2, optionId: 1 },
    { questionId: 3, optionId: 2 },
    { questionId: 40, optionId: 1 },
  ],
  currentQuestionId: 41,
  user: { uuid: "3f0d0c7e-8a3c-4c76-9f58-6d5f4a1b2c3d", firstname: "Lucía", email: "lucia.ramos@ejemplo.mx" },
  schedule: 2,
  days: [0, 1, 3, 5],
  studySchedule: { id: 2, months: 6, practiseDaysPerWeek: 4, minutesPerSession: 20 },
  programEndDate: "2027-05-19",
  skillsToImprove: [],
  moreInfoOf: [],
  programChangeWish: [],
};

export const exampleFields: SignupFields = { firstname: "", email: "", password: "" };

export const exampleSchedules: readonly StudySchedule[] = [
  schedule(1, 9, 3, 15, "Con calma", "calm"),
  schedule(2, 6, 4, 20, "A buen paso", "steady"),
  schedule(3, 3, 5, 30, "A paso rápido", "fast"),
];

function schedule(
  id: number,
  months: number,
  practiseDaysPerWeek: number,
  minutesPerSession: number,
  name: string,
  picture: string,
): StudySchedule {
  return {
    id,
    months,
    practiseDaysPerWeek,
    minutesPerSession,
    name,
    picture,
    monthsText: `${months} meses`,
    practiseDaysPerWeekText: `${practiseDaysPerWeek} días por semana`,
    minutesPerSessionText: `${minutesPerSession} minutos por sesión`,
  };
}

const exampleWay = { initial: "basic", target: "intermediate" } as const;
const exampleLevels: Questionnaire["levels"] = {
  beginner: { name: "principiante", text: "Conoces tus primeras palabras y frases sencillas." },
  basic: { name: "básico", text: "Te las arreglas en situaciones cotidianas con frases simples." },
  intermediate: { name: "intermedio", text: "Sigues conversaciones normales y puedes decir lo que piensas." },
  upperintermediate: {
    name: "intermedio alto",
    text: "Hablas de casi cualquier tema y entiendes bien a los hablantes nativos.",
  },
};

const exampleProducts: readonly Product[] = [
  product("sub-1M", "1M", 34900, 34900, 0),
  product("sub-3M", "3M", 74700, 99900, 7),
  product("sub-12M", "12M", 190800, 298800, 0),
];

function product(productId: string, productPlan: string, price: number, listPrice: number, trialDays: number): Product {
  return {
    productId,
    productType: "subscription",
    productPlan,
    currency: "MXN",
    price,
    listPrice,
    frequency: 1,
    trialDays,
    paymentProvider: "paddlebilling",
  };
}

function configurationOf({ productType, productPlan }: Product): ProductConfiguration {
  const months = Number.parseInt(productPlan, 10);
  const name = months === 1 ? "1 mes" : `${months} meses`;
  return {
    productType,
    productPlan,
    selectionTexts: { header: name, price: "al mes", ...(productPlan === "3M" && { trial: "7 días gratis, luego $747 cada 3 meses" }) },
    paymentTexts: {
      paymentHeader: "Tu suscripción",
      typeText: `Parlando, ${name}`,
      paymentFooter: `Se renueva cada ${months === 1 ? "mes" : name} hasta que canceles, en tu cuenta o por correo.`,
    },
    ...(productPlan === "3M" && { tag: "Nuestra recomendación" }),
  };
}

export function exampleContext(locale: Locale): Context {
  return { locale, country: "MX", platform: "other", requiresMarketingConsent: false, today: exampleToday };
}

const noop = () => {};

export const exampleOffer: Offer = {
  status: "ready",
  products: exampleProducts,
  configurationOf,
  termsOf: (product) => termsOf(product, exampleMoment),
  selected: exampleProducts[1] ?? null,
  coupon: null,
  takesCoupon: true,
  applyCoupon: () => Promise.resolve("unknown"),
  select: noop,
  retry: noop,
};

export const exampleCheckout: Checkout = {
  status: "loading",
  open: noop,
  close: noop,
  openHosted: () => Promise.resolve(true),
  mailLink: () => Promise.resolve(true),
};

const exampleValues: TextValues = { FIRSTNAME: "Lucía", EMAIL: "lucia.ramos@ejemplo.mx", MONTHS: 6, DAYS: 4, MINUTES: 20 };

/** The plan from basic to intermediate, at the chosen pace. */
export function examplePlan({ schedule: chosen, days } = exampleState, levels: { initial: Level; target: Level } = exampleWay): Plan {
  return planFrom({ ...levels, paces: exampleSchedules, chosen, days, today: exampleToday });
}

export interface ExampleSiteParts {
  readonly state?: State;
  readonly locale: Locale;
  readonly t: BlockSite["t"];
  readonly picture: (name: string) => PictureSource | null;
  /** Overrides for a test or the gallery. */
  readonly site?: Partial<BlockSite>;
}

/** A site whose callbacks do nothing, unless `site` overrides them. */
export function exampleSite({ locale, t, picture, site, state }: ExampleSiteParts): BlockSite {
  const intl = localeTraits[locale].intl;
  return {
    t,
    picture,
    say: (text, more) => richText(fillText(text, { ...exampleValues, ...more }, intl)),
    plain: (text, more) => plainText(text, { ...exampleValues, ...more }, intl),
    formats: formatsFor(locale),
    schedules: exampleSchedules,
    levels: exampleLevels,
    plan: examplePlan(state),
    onDone: noop,
    submit: noop,
    chooseSchedule: noop,
    chooseDays: noop,
    toggleListItem: noop,
    signup: { fields: exampleFields, setField: noop, errors: {}, onBlur: noop, onEnter: noop },
    offer: exampleOffer,
    checkout: exampleCheckout,
    mailPlan: () => Promise.resolve(true),
    avatarVariant: false,
    appStoreLinks: {
      android: "https://play.google.com/store/apps/details?id=example.parlando",
      apple: "https://apps.apple.com/app/id0000000000",
    },
    legalLinks: { terms: "/es-latam/legal/terminos-y-condiciones/", privacy: "/es-latam/legal/politica-de-privacidad/" },
    track: noop,
    live: true,
    ...site,
  };
}

/** A sign-up form that shows errors. */
function formWithErrors(fields: Partial<SignupFields>, errors: BlockSite["signup"]["errors"]): Partial<BlockSite> {
  return { signup: { fields: { ...exampleFields, ...fields }, errors, setField: noop, onBlur: noop, onEnter: noop } };
}

const failedOffer: Offer = { ...exampleOffer, status: "failed", products: [], selected: null };

/** Unusual page states; the gallery shows each with the block's first example. */
export const pageStates: Readonly<
  Partial<
    Record<BlockType, readonly { readonly name: string; readonly site: Partial<BlockSite>; readonly platform?: Context["platform"] }[]>
  >
> = {
  signupEmail: [
    {
      name: "a mistake is shown",
      site: formWithErrors({ email: "lucia@" }, { email: "Escribe tu correo completo, como nombre@correo.com." }),
    },
  ],
  signupPassword: [
    { name: "a mistake is shown", site: formWithErrors({ password: "1234" }, { password: "8 caracteres como mínimo, por favor." }) },
  ],
  signupName: [{ name: "a mistake is shown", site: formWithErrors({}, { firstname: "Falta llenar este campo." }) }],
  proofProgress: [{ name: "second animation, for versions with a talking guide", site: { avatarVariant: true } }],
  appStoreButton: [
    { name: "on an Android device", site: {}, platform: "android" },
    { name: "without configured stores", site: { appStoreLinks: { android: null, apple: null } } },
  ],
  price: [
    { name: "the offers are on their way", site: { offer: { ...exampleOffer, status: "loading", products: [], selected: null } } },
    { name: "the offers did not come", site: { offer: failedOffer } },
  ],
  payment: [{ name: "the offers did not come", site: { offer: failedOffer } }],
  paddle: [
    { name: "the form is there", site: { checkout: { ...exampleCheckout, status: "open" } } },
    { name: "the form did not come", site: { checkout: { ...exampleCheckout, status: "failed" } } },
  ],
};
