/** Walks one visit through the funnel with the real engine and the real API calls. */
import { questionnaireFor, type Version } from "#content/questionnaires/index.ts";
import { allGrants, consentTextVersion, noGrants } from "#core/consent.ts";
import { localeTraits } from "#core/locales.ts";
import { planLabel } from "#core/money.ts";
import type { Product } from "#core/products.ts";
import { compile, type CompiledQuestionnaire, isWayBack } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Option, Question } from "#core/questionnaire/definition.ts";
import { userLevel } from "#core/questionnaire/level.ts";
import { visibleContents, visibleOptions } from "#core/questionnaire/requirements.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { type State, stateSchema } from "#core/questionnaire/state.ts";
import { initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import * as v from "valibot";
import { type Chance, createChance } from "./chance.ts";
import { type Client, createClient, type Send } from "./client.ts";
import type { Visit } from "./visits.ts";
import { consents, night } from "./truths.ts";
import { createOutbox } from "./outbox.ts";
import { leavesWith } from "./visits.ts";

export interface Stage {
  readonly send: Send;
  readonly now: () => number;
  /** Name of the build that visitors load. */
  readonly build: string;
  /** Pays with the stand-in's form. @returns whether the card was taken */
  readonly pay: (transactionId: string, buyer: Buyer) => Promise<boolean>;
}

export interface Buyer {
  readonly chance: Chance;
  readonly email: string;
  readonly password: string;
  readonly country: string;
  readonly client: Client;
}

/** The visit's result, from which later events are drawn. */
export interface Outcome {
  readonly bought: { readonly buyer: Buyer; readonly transactionId: string } | null;
}

/** Walks a visit step by step. Yields the time of each next step. */
export async function* walk(visit: Visit, stage: Stage): AsyncGenerator<number, Outcome> {
  const client = createClient(stage.send, visit);
  const { locale, campaign } = visit;
  const config = await client.call("config", {
    query: { version: "v5.7.8", uiLanguage: localeTraits[locale].backend, campaignId: campaign },
  });
  const visitor = createVisitor(visit, stage, client, config);
  visitor.track("GetQuestionnaire", {});
  visitor.track("QuestionnaireQuestionShown", { questionId: visitor.state().currentQuestionId });
  if (visit.isBot) {
    await visitor.send();
    return { bought: null };
  }
  await chooseConsent(client, visit, stage.now());
  try {
    for (let screens = 0; screens < longestWalk; screens += 1) {
      const screen = visitor.screen();
      yield stage.now() + visit.chance.around(secondsOn[screen] * 1_000);
      if (visit.night === undefined ? visit.chance.happens(leavesWith(visit, config.questionnaireVersion, screen)) : screen === "offer") {
        if (visit.night?.brokenIn != null) await reportBroken(client, config.questionnaireVersion, stage.build);
        break;
      }
      if (screen === "checkout") return { bought: yield* visitor.buy() };
      if (!(await visitor.goOn())) break;
    }
  } finally {
    // Also sends the events of visitors who are still there at the end.
    await visitor.send();
  }
  return { bought: null };
}

/** Reports an error as the broken page would. */
const reportBroken = (client: Client, version: string, build: string) =>
  client.call("reportError", {
    body: {
      message: night.broken.message,
      url: "http://127.0.0.1/questionnaire/question",
      appVersion: "5.7.8",
      release: build,
      questionnaire: version,
      route: "questionnaire/question",
    },
  });

/** Answers the consent banner for most visitors before the first question. Visits without an answer cannot be watched. */
async function chooseConsent(client: Client, { device, night: ofNight }: Visit, now: number): Promise<void> {
  // Has its own generator, seeded by the device. Numbers drawn from the visit's generator would change the visit's later choices.
  const chance = createChance(Number.parseInt(device.slice(0, 8), 16));
  const answer = ofNight?.brokenIn != null ? "all" : chance.pick(consents);
  if (answer === "nothing") return;
  const body = { id: chance.uuid(), at: new Date(now).toISOString(), textVersion: consentTextVersion, source: "banner" } as const;
  await client.call("consent", { body: { ...body, categories: answer === "all" ? allGrants : noGrants } });
}

const longestWalk = 150;
const secondsOn = { first: 7, signup: 24, offer: 60, checkout: 80, other: 6 } as const;
type Screen = keyof typeof secondsOn;

function screenOf(types: ReadonlySet<string>, isFirst: boolean): Screen {
  if (types.has("paddle")) return "checkout";
  if (types.has("price")) return "offer";
  if (types.has("signupEmail")) return "signup";
  return isFirst ? "first" : "other";
}

/** Fills in what the question asks about the visitor. */
async function signUp(
  types: ReadonlySet<string>,
  client: Client,
  { locale, chance }: Visit,
  { uuid, email, password, questionnaire }: Readonly<Record<"uuid" | "email" | "password" | "questionnaire", string>>,
  take: (event: QuestionnaireEvent) => void,
): Promise<void> {
  if (types.has("signupEmail")) take({ type: "setUser", user: { email } });
  if (types.has("signupPassword")) {
    await client.call("signup", {
      body: { uuid, email, password, uiLanguage: locale, questionnaire, version: "v5.7.8" },
    });
    ({ token: client.token } = await client.call("login", { body: { email, password } }));
    take({ type: "signedUp", uuid });
  }
  if (types.has("signupName")) {
    const firstname = chance.pick(firstNames);
    if (client.token !== null) await client.call("updateName", { body: { firstname } });
    take({ type: "setUser", user: { firstname } });
  }
}

function createVisitor(
  visit: Visit,
  stage: Stage,
  client: Client,
  config: { readonly uuid: string; readonly questionnaireVersion: string },
) {
  const { chance, locale, country, platform } = visit;
  const compiled = compiledFor(config.questionnaireVersion, locale);
  const context: Context = {
    locale,
    country,
    platform,
    requiresMarketingConsent: country === "DE",
    today: new Date(stage.now()).toISOString().slice(0, 10),
  };
  const email = `visitor-${visit.device.slice(0, 8)}@${visit.night?.mailDomain ?? "example.com"}`;
  const password = `demo-${visit.device}`;
  let state = initialState(compiled, { uuid: config.uuid });
  const { track, send, waiting } = createOutbox(visit, stage, client, { ...config, compiled, state: () => state });

  function take(event: QuestionnaireEvent) {
    const before = state.currentQuestionId;
    const result = step(compiled, state, event, context);
    for (const effect of result.effects) if (effect.type === "track") track(effect.event, effect.payload);
    ({ state } = result);
    if (state.currentQuestionId !== before) track("QuestionnaireQuestionShown", { questionId: state.currentQuestionId });
  }

  const question = (): Question => {
    const found = compiled.question(state.currentQuestionId);
    if (found === undefined) throw new Error(`Version ${compiled.definition.id} has no question ${state.currentQuestionId}`);
    return found;
  };
  const typesShown = () => new Set(visibleContents(compiled, question(), state, context).map(({ type }) => type));

  /** Answers the current question. @returns false when there is no next one */
  async function goOn(): Promise<boolean> {
    const types = typesShown();
    const { schedules } = compiled.definition;
    const schedule = schedules[Math.floor(chance.draw() * schedules.length)];
    if (schedule !== undefined && types.has("studySchedule")) take({ type: "chooseSchedule", scheduleId: schedule.id });
    if (types.has("daySelection")) take({ type: "chooseDays", days: [0, 2, 4] });
    const option = chosenOf(visibleOptions(compiled, question(), state, context), chance);
    if (option === undefined) return false;
    if (option.type === undefined || option.type === "Yes")
      await signUp(types, client, visit, { uuid: config.uuid, email, password, questionnaire: compiled.definition.id }, take);
    take({ type: "answer", questionId: state.currentQuestionId, optionId: option.id });
    if (client.token !== null && chance.happens(0.3)) await save(client, compiled, state);
    if (waiting() >= eventsAtOnce) await send();
    return true;
  }

  async function* buy(): AsyncGenerator<number, Outcome["bought"]> {
    if (client.token === null) return null;
    await save(client, compiled, state);
    const product = await chosenProduct(client, compiled, state, visit);
    if (product === undefined) return null;
    track("PurchaseFlow", { stage: "opened", productId: product.productId });
    ({ token: client.token } = await client.call("login", { body: { email, password } }));
    const { transactionId } = await client.call("createTransaction", { body: { pricingId: product.productId, timeZone: zoneOf[country] } });
    yield stage.now() + chance.around(40_000);
    const buyer: Buyer = { chance, email, password, country, client };
    const paid = await stage.pay(transactionId, buyer);
    track(
      "PurchaseFlow",
      paid ? { stage: "completed", productId: product.productId } : { stage: "error", error: "The card was declined." },
    );
    return paid ? { buyer, transactionId } : null;
  }

  return {
    state: () => state,
    screen: () => screenOf(typesShown(), state.selectedOptions.length === 0),
    track,
    send,
    goOn,
    buy,
  };
}

const eventsAtOnce = 12;
const firstNames: readonly (readonly [string, number])[] = ["Ana", "Luis", "Marta", "Paulo", "Giulia", "Jonas", "Eva", "Tom"].map(
  (name) => [name, 1],
);
const zoneOf: Readonly<Record<string, string>> = {
  MX: "America/Mexico_City",
  BR: "America/Sao_Paulo",
  DE: "Europe/Berlin",
  ES: "Europe/Madrid",
  IT: "Europe/Rome",
  US: "America/New_York",
};

const compiledBefore = new Map<string, CompiledQuestionnaire>();
function compiledFor(version: string, locale: Visit["locale"]): CompiledQuestionnaire {
  const key = `${version} ${locale}`;
  const known = compiledBefore.get(key);
  if (known !== undefined) return known;
  const compiled = compile(questionnaireFor(version as Version, locale));
  compiledBefore.set(key, compiled);
  return compiled;
}

/** Chooses an option, more often one of the first. */
function chosenOf(options: readonly Option[], chance: Chance): Option | undefined {
  const onward = options.filter((option) => !isWayBack(option) && option.type !== "ToHomePage");
  return onward.length === 0 ? undefined : chance.pick(onward.map((option, place) => [option, onward.length + 1 - place] as const));
}

async function save(client: Client, compiled: CompiledQuestionnaire, state: State): Promise<void> {
  await client.call("questionnairePost", {
    body: { state: v.parse(stateSchema, savedState(state)), userLevel: userLevel(compiled, state) },
  });
}

async function chosenProduct(
  client: Client,
  compiled: CompiledQuestionnaire,
  state: State,
  { chance, locale, country, campaign }: Visit,
): Promise<Product | undefined> {
  const { value } = await client.call("courseFee", {
    body: {
      trafficId: campaign ?? null,
      attributes: { questionnaire: compiled.definition.id, plan: planLabel(state.studySchedule?.months), locale, country },
    },
  });
  const { products } = await client.call("products", { query: { productIds: value.join(","), customerCountry: country, locale } });
  const ours = products.filter(({ paymentProvider }) => paymentProvider === "paddlebilling");
  return ours.length === 0
    ? undefined
    : chance.pick(ours.map((product) => [product, product.productType === "subscription" ? 4 : 1] as const));
}
