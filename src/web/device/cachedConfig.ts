/** The cached configuration, validated when it is read (spec 000 §3, §5). */
import { isVersionName } from "#content/questionnaires/known.ts";
import { type Config, configSchema, type Session } from "#core/api.ts";
import type { Locale } from "#core/locales.ts";
import * as v from "valibot";
import { readDevice } from "./device.ts";
import { isSignedIn, type KeyValueStore, saveTokens, storedFields } from "./storage.ts";
import { addressStored, storedUser } from "./storedState.ts";

/** Lifetime of the cache, ms. */
const cacheLifetime = 24 * 60 * 60 * 1000;

/** The parameters of a configuration: the page's locale and the campaign link. */
const parametersSchema = v.object({
  locale: v.optional(v.string()),
  vid: v.optional(v.string()),
  cid: v.optional(v.string()),
  adid: v.optional(v.string()),
});
type ConfigParameters = v.InferOutput<typeof parametersSchema>;
const cachedSchema = v.pipe(
  v.string(),
  v.parseJson(),
  // `email`: the account's address. `accountVersion`: its version at the last login or refresh.
  v.object({
    ...configSchema.entries,
    email: v.optional(v.string()),
    accountVersion: v.optional(v.string()),
    asked: parametersSchema,
    at: v.number(),
  }),
);
type Cached = Omit<v.InferOutput<typeof cachedSchema>, "asked" | "at">;

/**
 * Stores the session of a login or refresh: its tokens, the account's configuration and its address. A version that a campaign's link or another language has
 * chosen meanwhile stays until the account has another version, and a link that has not been asked about is still asked about.
 */
export function saveSession(store: KeyValueStore, session: Session): void {
  saveTokens(store, session);
  takeAddress(store, session.user);
  const { version, completed, entitlementExists } = session.features.questionnaire;
  const { uuid, email } = session.user;
  const { success, output: kept } = v.safeParse(cachedSchema, store.get("config"));
  const own = success && kept.uuid === uuid && kept.accountVersion !== undefined ? kept : null;
  const questionnaireVersion = own?.accountVersion === version ? own.questionnaireVersion : version;
  const config = { uuid, email, questionnaireVersion, accountVersion: version, completed, entitlementExists };
  cacheConfig(store, config, own?.asked ?? currentParameters(store, readDevice(store)?.locale));
}

/** Stores the address that the server names as the signed-in account's: a new one may have been confirmed since the last login or refresh. */
export function learnAddress(store: KeyValueStore, email: string): void {
  const { uuid, ...config } = storedFields(store, "config");
  if (typeof uuid !== "string") return;
  takeAddress(store, { uuid, email });
  store.set("config", JSON.stringify({ ...config, uuid, email }));
}

/** Replaces the account's former address wherever a page would name it or fill it in. */
function takeAddress(store: KeyValueStore, user: { readonly uuid: string; readonly email: string }): void {
  const account = storedFields(store, "config");
  const known = storedUser(store);
  const former = [account["uuid"] === user.uuid && account["email"], known.uuid === user.uuid && known.email];
  if (former.includes(store.get("signupEmail") ?? "")) store.set("signupEmail", user.email);
  addressStored(store, user);
}

function cacheConfig(store: KeyValueStore, config: Cached, asked: ConfigParameters): void {
  store.set("config", JSON.stringify({ ...config, asked, at: Date.now() }));
}

/** Stores the config call's answer. The call knows no account, so while somebody is signed in it only chooses the version (decision 034). */
export function cacheAnswer(store: KeyValueStore, answer: Config, asked: ConfigParameters): void {
  const { success, output } = v.safeParse(cachedSchema, store.get("config"));
  const kept = isSignedIn(store) && success ? { ...output, questionnaireVersion: answer.questionnaireVersion } : answer;
  cacheConfig(store, kept, asked);
}

/** Whether the account had a plan at the last login or refresh. Pages use it until the plan has loaded. */
export function expectsPlan(store: KeyValueStore): boolean {
  const { success, output } = v.safeParse(cachedSchema, store.get("config"));
  return success && output.entitlementExists;
}

export function currentParameters(store: KeyValueStore, locale: Locale | undefined): ConfigParameters {
  const { vid, cid, adid } = readDevice(store) ?? {};
  return { locale, vid, cid, adid };
}

/** The cached configuration if it has the current parameters, is at most a day old and names a known version; else null. */
export function cachedConfig(store: KeyValueStore, locale: Locale): Config | null {
  const { success, output } = v.safeParse(cachedSchema, store.get("config"));
  if (!success) return null;
  const { asked, at, email: _email, accountVersion: _version, ...config } = output;
  const current = currentParameters(store, locale);
  const same = (["locale", "vid", "cid", "adid"] as const).every((name) => asked[name] === current[name]);
  const age = Date.now() - at;
  // An account's configuration is renewed with every refresh, so it does not expire.
  const recent = isSignedIn(store) || (age >= 0 && age < cacheLifetime);
  return same && recent && isVersionName(config.questionnaireVersion) ? config : null;
}
