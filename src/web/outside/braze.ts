/** Braze in-app messages (spec 001 §7): a user id that is opaque, `anon-user` without one. */
import * as v from "valibot";
import type { OutsideConfig } from "#core/outside.ts";
import { noService, type OutsideService } from "./outside.ts";

const script = "https://js.appboycdn.com/web-sdk/6.13/braze.min.js";
/** Who has no id yet (spec 001 §7). */
export const anonymousUser = "anon-user";

/** As much of the vendor's interface as is used; the script sets `window.braze`. */
interface Braze {
  readonly initialize: (key: string, options: object) => boolean;
  readonly subscribeToInAppMessage: (shown: (message: unknown) => void) => unknown;
  readonly showInAppMessage: (message: unknown) => unknown;
  readonly changeUser: (id: string) => void;
  readonly openSession: () => void;
  readonly disableSDK: () => void;
  readonly enableSDK: () => void;
  readonly wipeData: () => void;
}
const functions = [
  "initialize",
  "subscribeToInAppMessage",
  "showInAppMessage",
  "changeUser",
  "openSession",
  "disableSDK",
  "enableSDK",
  "wipeData",
];
const brazeSchema = v.custom<Braze>(
  (value) => typeof value === "object" && value !== null && functions.every((name) => typeof Reflect.get(value, name) === "function"),
);

export interface BrazeParts {
  readonly load: (src: string) => Promise<void>;
  /** `window.braze` */
  readonly global: () => unknown;
  readonly userId: () => string | undefined;
  /** A message was shown. */
  readonly onMessage: () => void;
  readonly report: (error: unknown) => void;
}

export function braze(config: OutsideConfig["braze"], { load, global, userId, onMessage, report }: BrazeParts): OutsideService {
  if (config === null) return noService;
  let starting: Promise<Braze> | null = null;
  let wanted = false;

  async function start({ key, baseUrl }: NonNullable<OutsideConfig["braze"]>): Promise<Braze> {
    await load(script);
    const sdk = v.parse(brazeSchema, global());
    sdk.initialize(key, { baseUrl, doNotLoadFontAwesome: true });
    sdk.subscribeToInAppMessage((message) => {
      onMessage();
      sdk.showInAppMessage(message);
    });
    sdk.changeUser(userId() ?? anonymousUser);
    // The session comes last: it fetches the messages.
    sdk.openSession();
    return sdk;
  }

  return {
    consent({ functional }) {
      if (functional === wanted) return;
      wanted = functional;
      if (starting === null) {
        if (!functional) return;
        starting = start(config);
        starting.catch((error: unknown) => {
          starting = null;
          wanted = false;
          report(error);
        });
        return;
      }
      void starting.then(
        (sdk) => {
          if (wanted) {
            sdk.enableSDK();
            sdk.openSession();
          } else {
            sdk.disableSDK();
            sdk.wipeData();
          }
        },
        () => undefined,
      );
    },
  };
}
