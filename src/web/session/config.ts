/** The configuration (spec 000 §3, §7): whom a visitor is known as, and which version they are given. */
import { defaultVersion, isVersionName, type VersionName } from "#content/questionnaires/known.ts";
import type { Config } from "#core/api.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { Api } from "../api/client.ts";
import { appVersion } from "../api/version.ts";
import { askedNow, keep, keptFrom } from "../device/keptConfig.ts";
import { isSignedIn, type KeyValueStore } from "../device/storage.ts";

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

/** As much of the session as an id needs. */
interface Visitor {
  readonly snapshot: () => { readonly context: { readonly locale: Locale }; readonly state: Pick<State, "user"> };
  readonly dispatch: (event: { readonly type: "setUser"; readonly user: { readonly uuid: string } }) => unknown;
}

/** Gives a visitor without an id that of the configuration. */
export async function identify(session: Visitor, api: Api, store: KeyValueStore): Promise<void> {
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
