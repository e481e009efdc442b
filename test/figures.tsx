/** Random visitors, and the figures of their plan as shown on pages and in mails. */
import { courseFee } from "#content/questionnaires/courseFee.ts";
import { questionnaireFor, type Version, versions } from "#content/questionnaires/index.ts";
import { mailTexts } from "#content/texts/mail.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { formatsFor } from "#core/formats.ts";
import { type Locale, locales } from "#core/locales.ts";
import { planLabel } from "#core/money.ts";
import { paymentProviders, type Product } from "#core/products.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import { compile, type CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { visibleContents, visibleOptions } from "#core/questionnaire/requirements.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import { plainText } from "#core/text.ts";
import { renderMail } from "#server/mail/templates/index.tsx";
import { planView } from "#server/payments/planView.ts";
import type { Store } from "#server/store/store.ts";
import { loadPageModule } from "#web/pages.ts";
import { createOffer, type OfferService } from "#web/payment/offer.ts";
import { fakeApi } from "#web/session/fakeApi.ts";
import { memoryStore } from "#web/device/storage.ts";
import { SiteProvider } from "#web/siteContext.tsx";
import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { readText } from "./blockMarkup.tsx";
import type { PaymentBed } from "./payments.ts";
import { testSite } from "./webSite.ts";

export interface Visitor {
  readonly version: Version;
  readonly locale: Locale;
  readonly timeZone: string;
  /** The time of the visit, ms since 1970. */
  readonly now: number;
  readonly picks: readonly number[];
  /** The visitor's last change: of the pace, of the level, or none. */
  readonly lastChange: "pace" | "level" | "kept";
}

const countries: Readonly<Record<Locale, string>> = {
  "en-US": "US",
  "es-419": "MX",
  "pt-BR": "BR",
  "it-IT": "IT",
  "es-ES": "ES",
  "de-DE": "DE",
};
const zones = ["America/Mexico_City", "America/Sao_Paulo", "America/New_York", "Europe/Berlin", "Europe/Madrid", "Pacific/Kiritimati"];
const firstDay = Date.UTC(2026, 10, 20);
const minuteMs = 60_000;

/** The same visitors in every run, in order of time, because a provider's clock never goes back. */
export function visitors(count: number): readonly Visitor[] {
  const any = fc.record({
    version: fc.constantFrom(...versions),
    locale: fc.constantFrom(...locales),
    timeZone: fc.constantFrom(...zones),
    now: fc.integer({ min: 0, max: 500 * 24 * 60 }).map((minutes) => firstDay + minutes * minuteMs),
    picks: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
    lastChange: fc.constantFrom("pace" as const, "level" as const, "kept" as const),
  });
  return fc.sample(any, { numRuns: count, seed: 15 }).toSorted((a, b) => a.now - b.now);
}

/** Questions that show figures of the plan. The last two belong to the offer. */
const showing = [57, 60, 61, 62, 64, 74, 76, 79, 80, 82];
const pricesAt = 80;
const checkout = 82;

interface Walked {
  readonly compiled: CompiledQuestionnaire;
  readonly context: Context;
  readonly state: State;
}

/** A random walk to the checkout that goes back once to change an answer. */
function walk({ version, locale, timeZone, now, picks, lastChange }: Visitor): Walked {
  const compiled = compile(questionnaireFor(version, locale));
  const country = countries[locale];
  const context: Context = {
    locale,
    country,
    platform: "android",
    requiresMarketingConsent: country === "DE",
    today: dayIn(now, timeZone),
  };
  let at = 0;
  const pick = <T,>(all: readonly T[]): T => {
    const one = all[(picks[at++ % picks.length] ?? 0) % all.length];
    if (one === undefined) throw new Error("nothing to pick");
    return one;
  };
  let state = initialState(compiled);
  const go = (event: QuestionnaireEvent) => void (state = step(compiled, state, event, context).state);
  const on = () => {
    const question = compiled.question(state.currentQuestionId);
    if (question === undefined) throw new Error(`no question ${state.currentQuestionId}`);
    const has = new Set<string>(visibleContents(compiled, question, state, context).map(({ type }) => type));
    if (has.has("studySchedule")) go({ type: "chooseSchedule", scheduleId: pick(compiled.definition.schedules).id });
    if (has.has("daySelection") && state.days.length < (state.studySchedule?.practiseDaysPerWeek ?? 7)) {
      const week = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, order: pick([1, 2, 3, 4, 5]) })).toSorted((a, b) => a.order - b.order);
      go({ type: "chooseDays", days: week.slice(0, state.studySchedule?.practiseDaysPerWeek).map(({ day }) => day) });
    }
    if (has.has("signupEmail")) go({ type: "setUser", user: { email: "ana@example.com" } });
    if (has.has("signupPassword")) go({ type: "signedUp", uuid: "3f0d0c7e-8a3c-4c76-9f58-6d5f4a1b2c3d" });
    if (has.has("signupName")) go({ type: "setUser", user: { firstname: "Ana" } });
    const ways = visibleOptions(compiled, question, state, context).filter(({ type }) => type !== "ToHomePage" && type !== "ToPrevious");
    // A question about a doubt leads back to the prices.
    go({ type: "answer", questionId: question.id, optionId: question.id === pricesAt ? 1 : pick(ways).id });
  };
  const toCheckout = () => {
    for (let steps = 0; state.currentQuestionId !== checkout; steps++) {
      if (steps > 200) throw new Error(`no end: ${state.visitedQuestionIds.join(" ")}`);
      on();
    }
  };
  toCheckout();
  const back =
    lastChange === "kept" ? undefined : state.visitedQuestionIds.find((id) => (lastChange === "pace" ? id === 60 : id === 41 || id === 55));
  if (back !== undefined) {
    go({ type: "moveTo", questionId: back });
    toCheckout();
  }
  return { compiled, context, state };
}

/** A figure on a page or in a mail: its kind, its place and its value. */
export interface Read {
  readonly where: string;
  readonly kind:
    | "months"
    | "days"
    | "minutes"
    | "hours"
    | "stages"
    | "weeks"
    | "rest"
    | "week"
    | "start"
    | "end"
    | "endMonth"
    | "charge"
    | "guarantee"
    | "paid"
    | "withdrawal";
  readonly figure: string | number;
}

/** Dates written in words, in order, as YYYY-MM-DD, or as YYYY-MM without a day. */
function datesIn(locale: Locale, text: string): string[] {
  const names = Array.from({ length: 12 }, (_, index) => formatsFor(locale).month(`2026-${String(index + 1).padStart(2, "0")}-01`));
  const month = `(${names.join("|")})`;
  const pattern = new RegExp(`(?:(\\d{1,2})[.º]?(?: de)? )?${month}(?: (\\d{1,2}),)?(?: de)? (\\d{4})`, "g");
  return [...text.matchAll(pattern)].map(([, before, name = "", after, year = ""]) => {
    const day = before ?? after;
    const monthNumber = String(names.indexOf(name) + 1).padStart(2, "0");
    return day === undefined ? `${year}-${monthNumber}` : `${year}-${monthNumber}-${day.padStart(2, "0")}`;
  });
}

const words = {
  months: /(\d+) (?:months?|mes(?:es)?|mês|mes[ei]|Monate?n?)(?!\w)/,
  days: /(\d+) (?:days? a week|días? (?:por|a la) semana|dias? por semana|giorn[oi] a settimana|Tage? pro Woche)/,
  minutes: /(\d+) (?:minut\w+|Minuten?|min(?!\w))/i,
  hours: /(\d+) (?:hours|horas|ore|Lernstunden)/,
  stages: /(?:stage|etapa|tappa|Etappe) 1 (?:of|de|di|von) (\d+)/i,
} as const;

function figuresOf(where: string, text: string, kinds: readonly (keyof typeof words)[]): Read[] {
  return kinds.map((kind) => {
    const found = words[kind].exec(text)?.[1];
    if (found === undefined) throw new Error(`${where} says no ${kind}: ${text}`);
    return { where, kind, figure: Number(found) };
  });
}

function dated(where: string, kinds: readonly Read["kind"][], dates: readonly string[]): Read[] {
  if (dates.length < kinds.length) throw new Error(`${where} names too few days: ${dates.join(", ")}`);
  return kinds.map((kind, index) => ({ where, kind, figure: dates[index] ?? "" }));
}

/** Dates written D/M/YYYY, as the confirmation of the days has them in most languages. */
function shortDates(text: string): string[] {
  return [...text.matchAll(/(\d{1,2})\/(\d{1,2})\/(\d{4})/g)].map(
    ([, day = "", month = "", year = ""]) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  );
}

/** The three large figures beside the chart, and the lessons of a week. */
function chartFigures(where: string, markup: string): Read[] {
  const [weeks, days, minutes] = [...markup.matchAll(/<dd>(\d+)<\/dd>/g)].map(([, figure]) => Number(figure));
  const rest = /<dt>[^<]*?(\d+)[^<]*<\/dt>/.exec(markup)?.[1];
  const week = /<h2>[^<]*?(\d+)/.exec(markup)?.[1];
  return [
    { where, kind: "weeks", figure: weeks ?? "" },
    { where, kind: "days", figure: days ?? "" },
    { where, kind: "minutes", figure: minutes ?? "" },
    { where, kind: "rest", figure: Number(rest) },
    { where, kind: "week", figure: Number(week) },
  ];
}

/** The figures of the plan on a page of the funnel. */
function readPage(question: number, locale: Locale, product: Product, markup: string): Read[] {
  const where = `question ${question}`;
  const text = readText(markup).replaceAll("\u00a0", " ");
  const dates = datesIn(locale, text);
  switch (question) {
    case 57:
      return [...figuresOf(where, text, ["stages"]), ...dated(where, ["endMonth"], dates.slice(1)), ...chartFigures(where, markup)];
    case 60: {
      const card = /<button[^>]*aria-checked="true".*?<\/button>/s.exec(markup)?.[0] ?? "";
      return figuresOf(where, readText(card).replaceAll("\u00a0", " "), ["months", "days", "minutes"]);
    }
    case 61:
      return dated(where, ["end"], dates);
    case 62:
      return [...figuresOf(where, text, ["days", "minutes"]), ...dated(where, ["start", "end"], [...shortDates(text), ...dates])];
    case 64:
      return [...figuresOf(where, text, ["stages", "months", "minutes"]), ...dated(where, ["start", "end"], dates)];
    case 74:
      return [
        ...figuresOf(where, text, ["stages", "hours", "months"]),
        ...dated(where, ["endMonth"], dates),
        ...dated(`${where}, chart`, ["endMonth"], dates.slice(2)),
        ...chartFigures(where, markup),
      ];
    case 76:
    case 79:
      return /<ol/.test(markup) ? [lessonMinutes(where, text)] : [];
    case pricesAt:
      return [
        ...figuresOf(where, text.slice(coverageAt(locale, text)), ["months"]),
        // The last date before that sentence. Earlier dates are those of the program.
        ...(product.productType === "onetime"
          ? []
          : dated(where, ["charge"], datesIn(locale, text.slice(0, coverageAt(locale, text))).slice(-1))),
      ];
    default:
      return product.productType === "onetime" ? [] : dated(where, ["charge"], dates);
  }
}

/** The last number of minutes in the text. Earlier ones may belong to the speaking test. */
function lessonMinutes(where: string, text: string): Read {
  const figure = [...text.matchAll(new RegExp(words.minutes, "gi"))].at(-1)?.[1];
  if (figure === undefined) throw new Error(`${where} says no minutes: ${text}`);
  return { where, kind: "minutes", figure: Number(figure) };
}

/** Offset of the sentence that says how many months the stage takes. The text before it names months, too: those that a plan lasts. */
function coverageAt(locale: Locale, text: string): number {
  const sentence = String(JSON.stringify(uiTexts(locale)["block.price.covers"])).match(/[\wÀ-ÿ]+ [\wÀ-ÿ]+ [\wÀ-ÿ]+/)?.[0] ?? "";
  const at = text.indexOf(sentence);
  if (at < 0) throw new Error(`no sentence says how long the stage is: ${text}`);
  return at;
}

async function draw(route: "questionnaire/question" | "questionnaire/thank-you", walked: Walked, offer: OfferService, question = 0) {
  const { compiled, context, state } = walked;
  const store = memoryStore();
  store.set("token", "h.p.s");
  const site = testSite({ locale: context.locale, definition: compiled.definition, context, state, services: { offer, store } });
  const { page } = await loadPageModule(route);
  const params = { version: compiled.definition.id, question: String(question) };
  await page.prepare?.(site, params);
  return renderToStaticMarkup(
    <SiteProvider value={site}>
      <page.View params={params} />
    </SiteProvider>,
  );
}

/** The offer from the catalogue, as the browser requests it. */
async function offerFor({ compiled, context, state }: Walked, visitor: Visitor, bed: PaymentBed): Promise<OfferService> {
  const { locale, country } = context;
  const plan = planLabel(state.studySchedule?.months);
  const value = courseFee({ questionnaire: compiled.definition.id, plan, reactivate: false, locale, country }, paymentProviders);
  const products = [...((await bed.payments.offer(value, { country })) ?? [])];
  const api = fakeApi({ courseFee: () => ({ value }), products: () => ({ products }) });
  const offer = createOffer({
    api,
    store: memoryStore(),
    compiled,
    context: () => Promise.resolve({ locale, country }),
    plan: () => plan,
    couponCode: undefined,
    now: () => new Date(visitor.now),
    timeZone: visitor.timeZone,
    warn: (message) => {
      throw new Error(message);
    },
  });
  await offer.chosen();
  return offer;
}

export interface Seen extends Walked {
  readonly product: Product;
  readonly reads: readonly Read[];
  readonly thanks: string;
}

/** Walks a visitor through the funnel to the purchase and reads all figures. */
export async function seenBy(visitor: Visitor, bed: PaymentBed, store: Store): Promise<Seen> {
  bed.clock.now = visitor.now;
  const walked = walk(visitor);
  const { locale } = visitor;
  const offer = await offerFor(walked, visitor, bed);
  const product = await offer.chosen();
  const reads: Read[] = [];
  for (const question of showing) {
    if (question !== checkout && !walked.state.visitedQuestionIds.includes(question)) continue;
    reads.push(...readPage(question, locale, product, await draw("questionnaire/question", walked, offer, question)));
  }
  const thanks = readText(await draw("questionnaire/thank-you", walked, offer)).replaceAll("\u00a0", " ");
  reads.push(lessonMinutes("thank-you", thanks));
  reads.push(...(await bought(visitor, product, bed, store)));
  return { ...walked, product, reads, thanks };
}

/** Buys the product and reads the figures of the receipt and the account. */
async function bought({ locale, timeZone }: Visitor, product: Product, bed: PaymentBed, store: Store): Promise<Read[]> {
  const account = await bed.account();
  await store.write((queries) => queries.updateTable("accounts").set({ locale }).where("uuid", "=", account).execute());
  const { status } = await bed.buy(account, product.productId, { timeZone });
  if (status !== "completed") throw new Error(`${product.productId} is ${status}`);
  const mail = await store.read
    .selectFrom("mail_outbox")
    .select("data")
    .where("recipient", "=", `${account}@ejemplo.mx`)
    .where("template", "=", "receipt")
    .executeTakeFirstOrThrow();
  const pages = "https://parlando.example";
  const links = { appLink: `${pages}/app`, manageLink: `${pages}/manage`, withdrawLink: `${pages}/withdraw` };
  const { text } = await renderMail("receipt", locale, { ...JSON.parse(mail.data), ...links });
  const inWords = (some: string) => datesIn(locale, some.replaceAll(/[\u00a0\s]+/g, " "));
  let others = text;
  /** The dates in a row of the receipt. Removes the row from `others`. */
  const row = (kind: "guarantee" | "withdrawal"): readonly Read[] => {
    const key = kind === "guarantee" ? "receipt.guarantee" : "receipt.withdraw";
    const [before = "", after = ""] = others.split(`\n${plainText(mailTexts(locale)[key], {}, locale)}\n`);
    const [value = "", ...rest] = after.split("\n");
    others = [before, ...rest].join("\n");
    return inWords(value).map((figure) => ({ where: "receipt", kind, figure }));
  };
  const periods = [...row("guarantee"), ...row("withdrawal")];
  // The receipt's own date is the earliest; the next payment appears before and after it.
  const dates = [...new Set(inWords(others))].toSorted();
  const plan = planView(await bed.payments.planOf(account));
  if (plan === null) throw new Error("no plan was bought");
  const paid = [...dated("receipt", ["paid"], dates), ...periods];
  if (product.productType === "onetime") return paid;
  const told = dates.slice(1);
  return [
    ...paid,
    ...told.map((figure): Read => ({ where: "receipt", kind: "charge", figure })),
    { where: "account", kind: "charge", figure: dayIn(Date.parse(plan.nextCharge ?? ""), plan.timeZone) },
  ];
}
