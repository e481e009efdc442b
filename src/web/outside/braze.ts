/** Braze in-app messages (spec 001 §7), for an opaque user id or `anon-user`. */
import * as v from "valibot";
import type { OutsideConfig } from "#core/outside.ts";
import { noService, type OutsideService } from "./outside.ts";

const script = "https://js.appboycdn.com/web-sdk/6.13/braze.min.js";
/** The user id of visitors without one (spec 001 §7). */
export const anonymousUser = "anon-user";

/** The part of Braze's API that we use. The script sets `window.braze`. */
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
  /** The visitor's id, if known. */
  readonly userId: () => string | undefined;
  /** Called with the id that messages now use; undefined when they have ended. */
  readonly onUser: (id: string | undefined) => void;
  /** Calls `changed` when the visitor's id may have changed. */
  readonly watchUser: (changed: () => void) => void;
  /** Called when a message is shown. */
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
  /** The id that messages use. */
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
    // The session opens last, because it fetches the messages.
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
