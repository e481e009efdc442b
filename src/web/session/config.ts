/** The configuration (spec 000 §3, §7): the visitor's id and questionnaire version. */
import { appVersion } from "#core/appVersion.ts";
import { defaultVersion, isVersionName, type VersionName } from "#content/questionnaires/known.ts";
import type { Config } from "#core/api.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { Api } from "../api/client.ts";
import { cacheAnswer, cachedConfig, currentParameters } from "../device/cachedConfig.ts";
import { isSignedIn, type KeyValueStore } from "../device/storage.ts";

/** Running calls, so that simultaneous requests share one. */
const asking = new WeakMap<KeyValueStore, Promise<Config>>();

/** The named version, or the locale's default if the name is unknown (spec 000 §5). */
export function knownVersion(version: string | undefined, locale: Locale): VersionName {
  return version !== undefined && isVersionName(version) ? version : defaultVersion[locale];
}

/** The visitor's configuration: from the cache while it is valid, else from the server. `fresh` skips the cache. */
export async function fetchConfig(
  api: Api,
  store: KeyValueStore,
  { locale, fresh = false }: { readonly locale: Locale; readonly fresh?: boolean },
): Promise<Config> {
  const kept = fresh ? null : cachedConfig(store, locale);
  if (kept !== null) return kept;
  const known = fresh ? undefined : asking.get(store);
  if (known !== undefined) return known;
  const answer = ask(api, store, locale).finally(() => asking.delete(store));
  asking.set(store, answer);
  return answer;
}

/** The part of the session that `identify` needs. */
interface Visitor {
  readonly snapshot: () => { readonly context: { readonly locale: Locale }; readonly state: Pick<State, "user"> };
  readonly dispatch: (event: { readonly type: "setUser"; readonly user: { readonly uuid: string } }) => unknown;
}

/** Gives a visitor without an id the configuration's id. */
export async function identify(session: Visitor, api: Api, store: KeyValueStore): Promise<void> {
  const { uuid } = await fetchConfig(api, store, { locale: session.snapshot().context.locale });
  // An account has its own id.
  if (!isSignedIn(store) && session.snapshot().state.user.uuid === undefined) session.dispatch({ type: "setUser", user: { uuid } });
}

async function ask(api: Api, store: KeyValueStore, locale: Locale): Promise<Config> {
  const asked = currentParameters(store, locale);
  const config = await api.call("config", {
    query: {
      version: `v${appVersion}`,
      uiLanguage: localeTraits[locale].backend,
      campaignId: asked.cid,
      versionId: asked.vid,
      advertisementId: asked.adid,
    },
  });
  cacheAnswer(store, config, asked);
  return config;
}
