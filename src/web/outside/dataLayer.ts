/** What a tag manager reads (spec 000 §7). Entries wait in an array of ours: nothing is requested by pushing them. */
import type { Grants } from "#core/consent.ts";

/** Every entry and what it carries; money in major units, as analytics tools have it. */
export interface DataLayerEntries {
  readonly user_id: { readonly user_id: string };
  /** `email_sha256`: of the address without spaces around it, in lower case. */
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
  /** A call that failed (spec 000 §8); status 0 when there was no answer. */
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
  /** Consent Mode v2: the default with the first call, then an update with each change. */
  readonly consent: (grants: Grants) => void;
}

/** @param list `window.dataLayer` */
export function createDataLayer(list: unknown[]): DataLayer {
  const gtag = commandsTo(list);
  let first = true;
  return {
    push(event, entry) {
      // An earlier order's fields must not stay under a later one's.
      if (event === "purchase") list.push({ ecommerce: null });
      list.push({ event, ...entry });
    },
    consent({ functional, analytics, marketing }) {
      const word = (granted: boolean) => (granted ? "granted" : "denied");
      const modes = (marketing: boolean, analytics: boolean, functional: boolean) => ({
        ad_storage: word(marketing),
        ad_user_data: word(marketing),
        ad_personalization: word(marketing),
        analytics_storage: word(analytics),
        functionality_storage: word(functional),
        personalization_storage: word(functional),
      });
      if (first) gtag("consent", "default", { ...modes(false, false, false), security_storage: "granted", wait_for_update: 500 });
      first = false;
      gtag("consent", "update", modes(marketing, analytics, functional));
    },
  };
}

/** Google's commands on a layer: they are known by their being an arguments object, not an array. */
export function commandsTo(list: unknown[]): (...command: readonly unknown[]) => void {
  return (...command) => void list.push(argumentsOf(...command));
}

function argumentsOf(..._command: readonly unknown[]): unknown {
  return arguments;
}

/** Hex SHA-256 of an e-mail address; null where the browser does not hash (an insecure origin). */
export async function hashedEmail(email: string, subtle: SubtleCrypto | undefined = globalThis.crypto.subtle): Promise<string | null> {
  if (subtle === undefined) return null;
  const hash = await subtle.digest("SHA-256", new TextEncoder().encode(email.trim().toLowerCase()));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
