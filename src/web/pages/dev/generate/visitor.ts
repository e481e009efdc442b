/** Turns this browser into a visitor with history, account and entitlement, through the same API calls as a real visit. */
import { appVersion } from "#core/appVersion.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { type State, stateSchema } from "#core/questionnaire/state.ts";
import { userLevel } from "#core/questionnaire/level.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import * as v from "valibot";
import { developerCountry } from "../../../browser/geo.ts";
import type { Services } from "../../../services.ts";
import { readDevice, saveDevice } from "../../../device/device.ts";
import { fetchConfig } from "../../../session/config.ts";
import { saveSession } from "../../../device/cachedConfig.ts";
import { personalKeys } from "../../../device/storage.ts";

export interface VisitorSettings {
  readonly signedUp: boolean;
  readonly entitled: boolean;
}

/** The stand-in's valid card and the address of its form. */
const card = { number: "4242 4242 4242 4242", expiry: "12 / 30", cvc: "123", name: "Lucía Ramos" };
const checkout = "/standins/paddle/checkout";
const paymentTries = 40;

/** Throws the calls' errors. Data stored until then stays. */
export async function becomeVisitor(
  { api, store }: Pick<Services, "api" | "store">,
  compiled: CompiledQuestionnaire,
  context: Context,
  state: State,
  { signedUp, entitled }: VisitorSettings,
): Promise<void> {
  for (const key of personalKeys) store.remove(key);
  sessionStorage.setItem(developerCountry, context.country);
  const device = readDevice(store);
  if (device !== null) saveDevice(store, { ...device, country: context.country, locale: context.locale });

  let visitor = state;
  if (signedUp || entitled) {
    const { uuid } = await fetchConfig(api, store, { locale: context.locale, fresh: true });
    const user = { uuid, email: `lucia+${uuid.slice(0, 8)}@example.com`, firstname: "Lucía", uiLanguage: context.locale };
    const password = "for developers";
    await api.call("signup", { body: { ...user, password, questionnaire: compiled.definition.id, version: `v${appVersion}` } });
    saveSession(store, await api.call("login", { body: { email: user.email, password } }));
    visitor = { ...state, user, signupDone: true };
    await api.call("questionnairePost", {
      body: { state: v.parse(stateSchema, savedState(visitor)), userLevel: userLevel(compiled, visitor) },
    });
    if (entitled) await buy({ api }, compiled, context, user.email);
  }
  store.set("questionnaireState", JSON.stringify(savedState(visitor)));
  store.set("questionnaireVersion", compiled.definition.id);
}

async function buy(
  { api }: Pick<Services, "api">,
  compiled: CompiledQuestionnaire,
  { locale, country }: Context,
  email: string,
): Promise<void> {
  const { value } = await api.call("courseFee", {
    body: { trafficId: null, attributes: { questionnaire: compiled.definition.id, plan: null, reactivate: false, locale, country } },
  });
  const [pricingId] = value;
  if (pricingId === undefined) throw new Error("No product found!");
  const { transactionId } = await api.call("createTransaction", { body: { pricingId } });
  await post(`${checkout}/${transactionId}/buyer`, { email, countryCode: country });
  await post(`${checkout}/${transactionId}/pay`, card);
  for (let tries = 0; tries < paymentTries; tries += 1) {
    const { status } = await api.call("paymentStatus", { body: { paymentId: transactionId, paymentProvider: "paddlebilling" } });
    if (status === "completed") return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error("The payment did not arrive");
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status} on ${path}: ${await response.text()}`);
}
