/** The configuration (spec 000 §3, §7): whom a visitor is known as, and which version they are given. What the device kept of it is checked before it serves again. */
import { defaultVersion, isVersionName, type VersionName } from "#content/questionnaires/known.ts";
import { type Config, configSchema, type Session } from "#core/api.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import * as v from "valibot";
import type { Api } from "../api/client.ts";
import { appVersion } from "../api/version.ts";
import { readDevice } from "./device.ts";
import type { Session as VisitorSession } from "./session.ts";
import { isSignedIn, type KeyValueStore, saveTokens } from "./storage.ts";

/** How long what was kept serves, ms. */
const keptFor = 24 * 60 * 60 * 1000;

/** What an answer depends on: the page's language and the campaign link that led here. */
const askedSchema = v.object({
  locale: v.optional(v.string()),
  vid: v.optional(v.string()),
  cid: v.optional(v.string()),
  adid: v.optional(v.string()),
});
type Asked = v.InferOutput<typeof askedSchema>;
const keptSchema = v.pipe(v.string(), v.parseJson(), v.object({ ...configSchema.entries, asked: askedSchema, at: v.number() }));

/** One call serves all that ask at the same time. */
const asking = new WeakMap<KeyValueStore, Promise<Config>>();

/** The version to go to: the named one, or the locale's default where that is not in the list (spec 000 §5). */
export function knownVersion(version: string | undefined, locale: Locale): VersionName {
  return version !== undefined && isVersionName(version) ? version : defaultVersion[locale];
}

/** The visitor's configuration: the kept one while it holds, else the server's; `fresh` asks in any case. */
export async function fetchConfig(
  api: Api,
  store: KeyValueStore,
  { locale, fresh = false }: { readonly locale: Locale; readonly fresh?: boolean },
): Promise<Config> {
  const kept = fresh ? null : keptFrom(store, locale);
  if (kept !== null) return kept;
  const known = fresh ? undefined : asking.get(store);
  if (known !== undefined) return known;
  const answer = ask(api, store, locale).finally(() => asking.delete(store));
  asking.set(store, answer);
  return answer;
}

/** Gives a visitor without an id that of the configuration. */
export async function identify(session: VisitorSession, api: Api, store: KeyValueStore): Promise<void> {
  const { uuid } = await fetchConfig(api, store, { locale: session.snapshot().context.locale });
  // An account has its own.
  if (!isSignedIn(store) && session.snapshot().state.user.uuid === undefined) session.dispatch({ type: "setUser", user: { uuid } });
}

async function ask(api: Api, store: KeyValueStore, locale: Locale): Promise<Config> {
  const asked = askedNow(store, locale);
  const config = await api.call("config", {
    query: {
      version: `v${appVersion}`,
      uiLanguage: localeTraits[locale].backend,
      campaignId: asked.cid,
      versionId: asked.vid,
      advertisementId: asked.adid,
    },
  });
  keep(store, config, asked);
  return config;
}

/** Keeps what a login or a renewed token came with: the tokens, and the account's own configuration. */
export function saveSession(store: KeyValueStore, session: Session): void {
  saveTokens(store, session);
  const { version, completed, entitlementExists } = session.features.questionnaire;
  const config = { uuid: session.user.uuid, questionnaireVersion: version, completed, entitlementExists };
  keep(store, config, askedNow(store, readDevice(store)?.locale));
}

function keep(store: KeyValueStore, config: Config, asked: Asked): void {
  store.set("config", JSON.stringify({ ...config, asked, at: Date.now() }));
}

/** Whether the account had a plan when its login or renewed token came: what to expect before the plan itself is here. */
export function expectsPlan(store: KeyValueStore): boolean {
  const { success, output } = v.safeParse(keptSchema, store.get("config"));
  return success && output.entitlementExists;
}

function askedNow(store: KeyValueStore, locale: Locale | undefined): Asked {
  const { vid, cid, adid } = readDevice(store) ?? {};
  return { locale, vid, cid, adid };
}

/** What was kept, if it is the answer to what would be asked now, not older than a day, and names a version there is. */
function keptFrom(store: KeyValueStore, locale: Locale): Config | null {
  const { success, output } = v.safeParse(keptSchema, store.get("config"));
  if (!success) return null;
  const { asked, at, ...config } = output;
  const current = askedNow(store, locale);
  const same = (["locale", "vid", "cid", "adid"] as const).every((name) => asked[name] === current[name]);
  const age = Date.now() - at;
  // An account's own comes anew with every renewed token.
  const recent = isSignedIn(store) || (age >= 0 && age < keptFor);
  return same && recent && isVersionName(config.questionnaireVersion) ? config : null;
}
