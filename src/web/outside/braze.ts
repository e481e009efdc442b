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
  /** Who is here, as far as it is known by now. */
  readonly userId: () => string | undefined;
  /** Under whom the messages run from now on; nobody when they have ended. */
  readonly onUser: (id: string | undefined) => void;
  /** Tells when who is here may be another one. */
  readonly watchUser: (changed: () => void) => void;
  /** A message was shown. */
  readonly onMessage: () => void;
  readonly report: (error: unknown) => void;
}

export function braze(
  config: OutsideConfig["braze"],
  { load, global, userId, onUser, watchUser, onMessage, report }: BrazeParts,
): OutsideService {
  if (config === null) return noService;
  let starting: Promise<Braze> | null = null;
  let wanted = false;
  /** Whom the messages are for. */
  let user: string | undefined;

  async function start({ key, baseUrl }: NonNullable<OutsideConfig["braze"]>): Promise<Braze> {
    await load(script);
    const sdk = v.parse(brazeSchema, global());
    sdk.initialize(key, { baseUrl, doNotLoadFontAwesome: true });
    sdk.subscribeToInAppMessage((message) => {
      onMessage();
      sdk.showInAppMessage(message);
    });
    identify(sdk);
    // The session comes last: it fetches the messages.
    sdk.openSession();
    watchUser(() => wanted && identify(sdk));
    return sdk;
  }

  function identify(sdk: Braze) {
    const id = userId() ?? anonymousUser;
    if (id === user) return;
    user = id;
    sdk.changeUser(id);
    onUser(id);
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
            identify(sdk);
            sdk.openSession();
          } else {
            sdk.disableSDK();
            sdk.wipeData();
            user = undefined;
            onUser(undefined);
          }
        },
        () => undefined,
      );
    },
  };
}
