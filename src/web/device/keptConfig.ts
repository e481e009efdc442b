/** The configuration as the device keeps it: checked before it serves again (spec 000 §3, §5). */
import { isVersionName } from "#content/questionnaires/known.ts";
import { type Config, configSchema, type Session } from "#core/api.ts";
import type { Locale } from "#core/locales.ts";
import * as v from "valibot";
import { readDevice } from "./device.ts";
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

/** Keeps what a login or a renewed token came with: the tokens, and the account's own configuration. */
export function saveSession(store: KeyValueStore, session: Session): void {
  saveTokens(store, session);
  const { version, completed, entitlementExists } = session.features.questionnaire;
  const config = { uuid: session.user.uuid, questionnaireVersion: version, completed, entitlementExists };
  keep(store, config, askedNow(store, readDevice(store)?.locale));
}

export function keep(store: KeyValueStore, config: Config, asked: Asked): void {
  store.set("config", JSON.stringify({ ...config, asked, at: Date.now() }));
}

/** Whether the account had a plan when its login or renewed token came: what to expect before the plan itself is here. */
export function expectsPlan(store: KeyValueStore): boolean {
  const { success, output } = v.safeParse(keptSchema, store.get("config"));
  return success && output.entitlementExists;
}

export function askedNow(store: KeyValueStore, locale: Locale | undefined): Asked {
  const { vid, cid, adid } = readDevice(store) ?? {};
  return { locale, vid, cid, adid };
}

/** What was kept, if it is the answer to what would be asked now, not older than a day, and names a version there is. */
export function keptFrom(store: KeyValueStore, locale: Locale): Config | null {
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
