/** What a version is besides its questions: where the program treats it in a special way, by name (spec 000 §9, spec 001 §9). */
import type { Locale } from "#core/locales.ts";
import { brand } from "../brand.ts";

/** Every version there is, those that live on another site included (spec 000 §9). */
export const versionNames = [
  "69",
  "73",
  "76",
  "78",
  "79",
  "82",
  "83",
  "84",
  "85",
  "86",
  "87",
  "88",
  "89",
  "90",
  "91",
  "ai",
  "aimx",
] as const;
export type VersionName = (typeof versionNames)[number];

/** The version where none is given, and where the given one is not known (spec 000 §5, §9). */
export const defaultVersion = {
  "en-US": "76",
  "es-419": "76",
  "pt-BR": "78",
  "it-IT": "83",
  "es-ES": "83",
  "de-DE": "83",
} as const satisfies Readonly<Record<Locale, VersionName>>;

export interface Traits {
  /** The e-mail is taken without asking whether it is free (spec 001 §4). */
  readonly skipsEmailCheck: boolean;
  /** An address that has an account leads to the reactivation page (spec 001 §4). */
  readonly existingAccountGoesToReactivate: boolean;
  /** The password screen says "Agree and continue", and what to (spec 001 §5). */
  readonly agreeAndContinue: boolean;
  /** Asks for consent to news by e-mail after sign-up, where a country requires it (spec 001 §4). */
  readonly asksMarketingConsent: boolean;
  /** A guide talks; the proof of progress runs in its second variant (spec 001 §4). */
  readonly avatarVariant: boolean;
  /** The address of a version that lives on another site; null where the questionnaire is ours. */
  readonly externalSite: string | null;
}

const usual: Traits = {
  skipsEmailCheck: false,
  existingAccountGoesToReactivate: false,
  agreeAndContinue: false,
  asksMarketingConsent: false,
  avatarVariant: false,
  externalSite: null,
};

export const traits: Readonly<Record<VersionName, Traits>> = {
  "69": { ...usual, skipsEmailCheck: true, existingAccountGoesToReactivate: true },
  "73": usual,
  "76": usual,
  "78": usual,
  "79": usual,
  "82": { ...usual, agreeAndContinue: true },
  "83": { ...usual, agreeAndContinue: true, asksMarketingConsent: true },
  "84": { ...usual, agreeAndContinue: true },
  "85": { ...usual, agreeAndContinue: true, avatarVariant: true },
  "86": usual,
  "87": { ...usual, avatarVariant: true },
  "88": { ...usual, avatarVariant: true },
  "89": { ...usual, avatarVariant: true },
  "90": { ...usual, avatarVariant: true },
  "91": usual,
  ai: { ...usual, externalSite: brand.aiSite },
  aimx: { ...usual, externalSite: new URL("mx", brand.aiSite).href },
};

export function isVersionName(version: string): version is VersionName {
  return Object.hasOwn(traits, version);
}

/** The traits of a version; of one that is not known, the usual ones. */
export function traitsOf(version: string): Traits {
  return isVersionName(version) ? traits[version] : usual;
}
