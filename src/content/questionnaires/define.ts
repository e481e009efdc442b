/** The type of a version: one object in its own file (`vNN.ts`) with everything specific to it. `all.ts` lists them. */
import type { Locale } from "#core/locales.ts";
import type { PaymentProviderName } from "#core/products.ts";
import type { QuestionnaireInput, Theme } from "#core/questionnaire/definition.ts";
import type { Say } from "./story.ts";

/** Named behaviors in which the program treats a version differently (spec 000 §9, spec 001 §9). */
export interface Traits {
  /** The theme of the version, and of pages without a version (login, account, legal) visited after it. */
  readonly theme: Theme;
  /** Accepts the e-mail without checking whether it already has an account (spec 001 §4). */
  readonly skipsEmailCheck: boolean;
  /** Redirects an address with an account to the reactivation page (spec 001 §4). */
  readonly existingAccountGoesToReactivate: boolean;
  /** The password screen says "Agree & Continue", with a consent text (spec 001 §5). */
  readonly agreeAndContinue: boolean;
  /** Asks for consent to news by e-mail after sign-up, in countries that require it (spec 001 §4). */
  readonly asksMarketingConsent: boolean;
  /** Has a talking guide, and the second variant of the progress proof (spec 001 §4). */
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

/** A version's products and their provider. */
export interface Sale {
  readonly products: readonly `${"onetime" | "subscription"}-${string}`[];
  /** Default: Paddle Billing. */
  readonly provider?: PaymentProviderName;
}

export const usualSale: Sale = { products: ["subscription-1M", "subscription-3M", "subscription-12M"] };

interface Facts<Id extends string> {
  readonly id: Id;
  /** The hypothesis that the version tests. */
  readonly hypothesis: string;
  /** What the version changes to test it. */
  readonly changes: string;
}

/** A version with its own questionnaire. */
export interface OwnVersion<Id extends string = string> extends Facts<Id> {
  /** Only the traits that differ from the usual ones. */
  readonly traits: Partial<Traits>;
  readonly sold: Sale;
  /** Locales that use this version when a link names none or an unknown one (spec 000 §5, §9). */
  readonly defaultIn: readonly Locale[];
  /** Locales whose home page has its first question (spec 000 §9). */
  readonly embeddedIn: readonly Locale[];
  /** The questionnaire with the texts of `say`. */
  readonly questionnaire: (say: Say) => QuestionnaireInput;
}

/** A version on another site. */
export interface VersionElsewhere<Id extends string = string> extends Facts<Id> {
  readonly externalSite: string;
}

/** The version's properties that the base stories use. */
export interface StoryVersion {
  readonly id: string;
  readonly traits: Traits;
}

type Written<Id extends string> = Facts<Id> &
  Partial<Omit<OwnVersion<Id>, "questionnaire">> & {
    readonly questionnaire: (t: Say, version: StoryVersion) => QuestionnaireInput;
  };

export function defineVersion<const Id extends string>({ questionnaire, ...written }: Written<Id>): OwnVersion<Id> {
  const version: StoryVersion = { id: written.id, traits: { ...usualTraits, ...written.traits } };
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
