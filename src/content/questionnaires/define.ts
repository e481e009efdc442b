/** What a version is: one object in a file of its own (`vNN.ts`), which holds everything that is only its own. `all.ts` lists them. */
import type { Locale } from "#core/locales.ts";
import type { PaymentProviderName } from "#core/products.ts";
import type { QuestionnaireInput, Theme } from "#core/questionnaire/definition.ts";
import type { Say } from "./story.ts";

/** Where the program treats a version in a special way, by name (spec 000 §9, spec 001 §9). */
export interface Traits {
  /** How it looks, and after it the pages that belong to no version: login, account, legal. */
  readonly theme: Theme;
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
}

export const usualTraits: Traits = {
  theme: "parlando",
  skipsEmailCheck: false,
  existingAccountGoesToReactivate: false,
  agreeAndContinue: false,
  asksMarketingConsent: false,
  avatarVariant: false,
};

/** Which products a version offers, and who sells them. */
export interface Sale {
  readonly products: readonly `${"onetime" | "subscription"}-${string}`[];
  /** Paddle Billing unless said. */
  readonly provider?: PaymentProviderName;
}

export const usualSale: Sale = { products: ["subscription-1M", "subscription-3M", "subscription-12M"] };

interface Facts<Id extends string> {
  readonly id: Id;
  /** What the version is to find out. */
  readonly hypothesis: string;
  /** What it changes to do so. */
  readonly changes: string;
}

/** A version whose questionnaire is ours. */
export interface OwnVersion<Id extends string = string> extends Facts<Id> {
  /** Those in which it differs from the usual. */
  readonly traits: Partial<Traits>;
  readonly sold: Sale;
  /** Locales whose version it is where none is given, or one that is not known (spec 000 §5, §9). */
  readonly defaultIn: readonly Locale[];
  /** Locales on whose home page its first question stands (spec 000 §9). */
  readonly embeddedIn: readonly Locale[];
  /** The questionnaire in the words of `say`. */
  readonly questionnaire: (say: Say) => QuestionnaireInput;
}

/** A version that lives on another site. */
export interface VersionElsewhere<Id extends string = string> extends Facts<Id> {
  readonly externalSite: string;
}

/** What the base stories must know of the version that they are told for. */
export interface ToldVersion {
  readonly id: string;
  readonly traits: Traits;
}

type Written<Id extends string> = Facts<Id> &
  Partial<Omit<OwnVersion<Id>, "questionnaire">> & {
    readonly questionnaire: (t: Say, version: ToldVersion) => QuestionnaireInput;
  };

export function defineVersion<const Id extends string>({ questionnaire, ...written }: Written<Id>): OwnVersion<Id> {
  const version: ToldVersion = { id: written.id, traits: { ...usualTraits, ...written.traits } };
  return {
    traits: {},
    sold: usualSale,
    defaultIn: [],
    embeddedIn: [],
    ...written,
    questionnaire: (say) => questionnaire(say, version),
  };
}

export function defineVersionElsewhere<const Id extends string>(version: VersionElsewhere<Id>): VersionElsewhere<Id> {
  return version;
}
