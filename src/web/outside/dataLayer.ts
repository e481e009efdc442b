/** The data layer for a tag manager (spec 000 §7): an array on our page. Pushing an entry sends no request. */
import type { Grants } from "#core/consent.ts";

/** Every entry and its fields. Amounts are in major units, as analytics tools expect. */
export interface DataLayerEntries {
  readonly user_id: { readonly user_id: string };
  /** `email_sha256`: hash of the trimmed, lower-case address. */
  readonly me_sign_up: { readonly user_id: string; readonly email_sha256?: string };
  readonly me_web_product: {
    readonly product_id: string;
    readonly product_type: string;
    readonly currency: string;
    readonly price: number;
  };
  readonly me_web_checkout: { readonly stage: string; readonly product_id?: string };
  readonly me_web_request: { readonly endpoint: string; readonly status: number };
  /** `duration` in ms. */
  readonly me_web_request_duration: { readonly endpoint: string; readonly duration: number };
  /** A failed call (spec 000 §8); status 0 without a response. */
  readonly exception: { readonly status: number; readonly endpoint: string; readonly message: string };
  readonly "js-exception": { readonly message: string };
  readonly questionnaire_start: { readonly questionnaire: string };
  readonly questionnaire_done: { readonly questionnaire: string };
  /** Extra tracking on question 3 (spec 001 §9). */
  readonly questionnaire_question_3: { readonly name: string };
  readonly purchase: {
    readonly ecommerce: {
      readonly transaction_id: string;
      readonly value: number;
      readonly currency: string;
      readonly coupon?: string;
      readonly items: readonly {
        readonly item_id: string;
        readonly item_category: string;
        readonly price: number;
        readonly quantity: number;
      }[];
    };
  };
  readonly purchase_fail: { readonly message: string };
  readonly subscription: { readonly transaction_id: string; readonly plan: string };
  readonly homepage: { readonly locale: string };
}

export interface DataLayer {
  readonly push: <K extends keyof DataLayerEntries>(event: K, entry: DataLayerEntries[K]) => void;
  /** Updates Consent Mode v2. Its default is the first entry of the list. */
  readonly consent: (grants: Grants) => void;
}

/** @param list `window.dataLayer` */
export function createDataLayer(list: unknown[]): DataLayer {
  const gtag = commandsTo(list);
  const modes = (marketing: boolean, analytics: boolean, functional: boolean) => {
    const word = (granted: boolean) => (granted ? "granted" : "denied");
    return {
      ad_storage: word(marketing),
      ad_user_data: word(marketing),
      ad_personalization: word(marketing),
      analytics_storage: word(analytics),
      functionality_storage: word(functional),
      personalization_storage: word(functional),
    };
  };
  let begun = false;
  /** A tag manager reads the list in order, and takes everything before the default for allowed. */
  function begin() {
    if (!begun) gtag("consent", "default", { ...modes(false, false, false), security_storage: "granted", wait_for_update: 500 });
    begun = true;
  }
  return {
    push(event, entry) {
      begin();
      // Tag managers merge entries, so an earlier order's fields are cleared first.
      if (event === "purchase") list.push({ ecommerce: null });
      list.push({ event, ...("message" in entry ? { ...entry, message: withoutEmails(entry.message) } : entry) });
    },
    consent({ functional, analytics, marketing }) {
      begin();
      gtag("consent", "update", modes(marketing, analytics, functional));
    },
  };
}

/** Google's `gtag` function for a layer. Google recognises commands by their type: an arguments object, not an array. */
export function commandsTo(list: unknown[]): (...command: readonly unknown[]) => void {
  return (...command) => void list.push(argumentsOf(...command));
}

function argumentsOf(..._command: readonly unknown[]): unknown {
  return arguments;
}

/** Removes the e-mail addresses from a text: error messages can contain them. */
export function withoutEmails(text: string): string {
  const words = text.split(/(\s)/);
  return words.map((word) => (word.includes("@") ? "…" : word)).join("");
}

/** Hex SHA-256 of an e-mail address; null if the browser cannot hash (insecure origin). */
export async function hashedEmail(email: string, subtle: SubtleCrypto | undefined = globalThis.crypto.subtle): Promise<string | null> {
  if (subtle === undefined) return null;
  const hash = await subtle.digest("SHA-256", new TextEncoder().encode(email.trim().toLowerCase()));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
