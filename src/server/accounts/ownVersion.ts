import { isLocale, type Locale } from "#core/locales.ts";
import type { Questionnaires } from "../base/questionnaires.ts";

interface AccountVersions {
  readonly locale: string;
  readonly signedUpVersion: string;
  readonly savedVersion: string | null;
}

/** The account's version: that of its saved answers, else that of its sign-up. The locale's default replaces a retired one (spec 000 §5). */
export function ownVersion(questionnaires: Questionnaires, { locale, signedUpVersion, savedVersion }: AccountVersions): string {
  const version = savedVersion ?? signedUpVersion;
  const known: Locale = isLocale(locale) ? locale : "es-419";
  return questionnaires.versions.includes(version) ? version : questionnaires.defaultVersion[known];
}
