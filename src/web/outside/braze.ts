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
  readonly removeSubscription: (subscription: unknown) => void;
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
  "removeSubscription",
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
  const { key, baseUrl } = config;
  let loading: Promise<Braze> | null = null;
  let wanted = false;
  /** The SDK while it runs. */
  let running: Braze | null = null;
  let subscription: unknown;
  /** The id that messages use. */
  let user: string | undefined;
  watchUser(() => running !== null && identify(running));

  function identify(sdk: Braze) {
    const id = userId() ?? anonymousUser;
    if (id === user) return;
    user = id;
    sdk.changeUser(id);
    onUser(id);
  }

  function begin(sdk: Braze) {
    // An earlier withdrawal disabled the SDK, on later pages too, until it is enabled and then initialized again.
    sdk.enableSDK();
    sdk.initialize(key, { baseUrl, doNotLoadFontAwesome: true });
    subscription = sdk.subscribeToInAppMessage((message) => {
      onMessage();
      sdk.showInAppMessage(message);
    });
    running = sdk;
    identify(sdk);
    // The session opens last, because it fetches the messages.
    sdk.openSession();
  }

  function end(sdk: Braze) {
    running = null;
    sdk.removeSubscription(subscription);
    // The data must be wiped first: a disabled SDK ignores this call.
    sdk.wipeData();
    sdk.disableSDK();
    user = undefined;
    onUser(undefined);
  }

  /** The consent may have changed while the script loaded. */
  function follow(sdk: Braze) {
    if (wanted && running === null) begin(sdk);
    else if (!wanted && running !== null) end(sdk);
  }

  return {
    consent({ functional }) {
      if (functional === wanted) return;
      wanted = functional;
      if (loading === null) {
        if (!functional) return;
        loading = load(script).then(() => v.parse(brazeSchema, global()));
        loading.catch((error: unknown) => {
          loading = null;
          wanted = false;
          report(error);
        });
      }
      void loading.then(follow, () => undefined);
    },
  };
}
