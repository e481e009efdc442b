/** The API client (spec 000 §7, §8): one typed function for all endpoints, with token refresh. */
import * as codes from "#core/errorCodes.ts";
import { type BodyInput, type Endpoint, endpoints, type EndpointSpec, type Output, type QueryInput } from "#core/api.ts";
import { provenElsewhere } from "#core/errorBody.ts";
import { allowedBackend } from "#core/links.ts";
import { accountEmail } from "../device/accountAddress.ts";
import { saveSession } from "../device/cachedConfig.ts";
import { type KeyValueStore, removeTokens } from "../device/storage.ts";
import * as v from "valibot";
import { claimsOf } from "./claims.ts";
import { ApiError, ConnectionError, createSend, type RequestParts, type Send } from "./request.ts";

/** How long other calls wait for a running refresh, ms (spec 000 §9). */
export const refreshWait = 2500;
/** A refresh whose answer is lost is repeated at once within this time, ms. A server that knows no attempts repeats its answer for ten seconds (decision 031). */
export const refreshRepeat = 5000;

export interface ApiParts extends RequestParts {
  readonly store: KeyValueStore;
  readonly now: () => Date;
  /** Runs work under a lock that all tabs share. */
  readonly alone?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called when the server's refusal has removed both tokens. A lost connection does not remove them. */
  readonly onSignedOut: (why: SignedOut) => void;
}

/**
 * Why the device has no session. `provenElsewhere`: somebody proved the address on another device, which ended this session and the password. `ended`: the
 * session is over. `neverIn`: the device had no session.
 */
export type SignedOut = "provenElsewhere" | "ended" | "neverIn";

type Input<K extends Endpoint> = {
  readonly query?: QueryInput<K> | undefined;
  readonly body?: BodyInput<K> | undefined;
  /** The page is being left. */ readonly leaving?: boolean | undefined;
  /** The back end to call in place of the visitor's. */ readonly at?: string | undefined;
  /** If the session turns out to be over, the call fails and the login is not shown. */ readonly quietly?: boolean | undefined;
  /** Called where the session turns out to be over and the call never settles. */ readonly onSessionOver?: (() => void) | undefined;
};

export interface Api {
  /** Throws `ApiError` or `ConnectionError`. */
  readonly call: <K extends Endpoint>(endpoint: K, input?: Input<K>) => Promise<Output<K>>;
}

/** Runs work in one tab at a time. If another tab takes too long, or the browser has no locks, it runs all the same. */
export async function aloneAmongTabs<T>(work: () => Promise<T>): Promise<T> {
  // Insecure pages have no locks, although the types claim so.
  if (!("locks" in navigator)) return work();
  const patience = AbortSignal.timeout(refreshWait);
  let begun = false;
  try {
    return await navigator.locks.request("parlando-refresh", { signal: patience }, () => {
      begun = true;
      return work();
    });
  } catch (error) {
    if (begun) throw error;
    // Another tab took too long, or the browser blocks locks together with storage.
    return work();
  }
}

/** The result of a call whose page is leaving for the login. It never settles (spec 000 §8: such a 401 raises no error). */
const neverSettles = new Promise<never>(() => {});

export function createApi(parts: ApiParts): Api {
  const { store } = parts;
  const send = createSend(parts);
  const tokens = createTokens(parts, send);
  return {
    async call(endpoint, input = {}) {
      const spec: EndpointSpec = endpoints[endpoint];
      const authenticated = spec.auth === "bearer" || (spec.auth === "optional" && store.get("token") !== null);
      if (!authenticated) return send(endpoint, input, null);

      const { quietly = false } = input;
      // Events and consent choices need no session. They must not wait forever, because further ones wait for this call to end.
      async function withoutToken() {
        if (spec.auth === "optional") return send(endpoint, input, null);
        if (quietly) throw new ApiError(401, spec.path, codes.invalidAccessToken, "The session is over", {});
        input.onSessionOver?.();
        return neverSettles;
      }
      const before = store.get("token");
      if (tokens.refreshing()) await tokens.awaitRefresh(spec.auth === "bearer" && !quietly);
      // If the refresh is still running after the wait, the call goes out with the old token, and the server decides.
      const token = store.get("token");
      if (!tokens.refreshing() && tokens.isExpired(token)) await tokens.refresh(token, quietly);
      const current = store.get("token");
      // Logged out meanwhile, here or in another tab: this page is leaving.
      if (before !== null && current === null) return withoutToken();
      let refusal: unknown;
      try {
        return await send(endpoint, input, current);
      } catch (error) {
        if (!isBearerRefused(spec, error)) throw error;
        refusal = error;
      }
      if (before !== null && store.get("token") === null) return withoutToken();
      if (store.get("refreshToken") !== null) {
        // The server's clock or a new signing key may end a token early.
        await tokens.refresh(current, quietly);
        try {
          return await send(endpoint, input, store.get("token"));
        } catch (error) {
          if (!isBearerRefused(spec, error)) throw error;
        }
      }
      tokens.signOut(quietly);
      if (quietly) throw refusal;
      return withoutToken();
    },
  };
}

/**
 * A new pair for a refresh token. The server may have used the token up before its answer was lost. Later it repeats its answer only for the same attempt
 * (decision 228). A phone may discard a page without a connection, so the device keeps the attempt's name until there is an answer.
 */
export async function newPair(
  store: KeyValueStore,
  refreshToken: string,
  ask: (body: BodyInput<"refresh">) => Promise<Output<"refresh">>,
): Promise<Output<"refresh">> {
  const began = performance.now();
  const attempt = store.get("tokenAttempt") ?? crypto.randomUUID();
  store.set("tokenAttempt", attempt);
  const askOnce = () => ask({ refreshToken, attempt });
  try {
    const pair = await askOnce().catch((error: unknown) => {
      if (!(error instanceof ConnectionError) || performance.now() - began > refreshRepeat) throw error;
      return askOnce();
    });
    store.remove("tokenAttempt");
    return pair;
  } catch (error) {
    if (isDefinite(error)) store.remove("tokenAttempt");
    throw error;
  }
}

interface Tokens {
  /** Whether an access token has expired. If it cannot be read, the server decides. */
  readonly isExpired: (token: string | null) => boolean;
  readonly signOut: (quietly: boolean, refusal?: unknown) => void;
  readonly refreshing: () => boolean;
  /** Waits for a running refresh, at most `refreshWait`. If the session turns out to be over, the login is shown where one that waits `shows` it. */
  readonly awaitRefresh: (shows: boolean) => Promise<void>;
  /** Refreshes the tokens, one refresh at a time. `failed` is the refused access token. */
  readonly refresh: (failed: string | null, quietly: boolean) => Promise<void>;
}

function createTokens(parts: ApiParts, send: Send): Tokens {
  const { store, now, alone = (work) => work(), backends, callBackend, onSignedOut } = parts;
  let refreshing: Promise<void> | null = null;
  /** Whether the login is shown if the running refresh is refused. */
  let showsLogin = false;
  /** How far the device's clock is ahead of the server's, ms. Without it new tokens could look expired, and each call would refresh until the server refuses. */
  let ahead = 0;

  function signOut(quietly: boolean, refusal?: unknown) {
    const wasIn = store.get("token") !== null || store.get("refreshToken") !== null;
    removeTokens(store);
    // The login names the account's address, whatever address was typed last.
    const address = accountEmail(store);
    if (address !== null) store.set("signupEmail", address);
    if (quietly) return;
    const isProvenElsewhere = refusal instanceof ApiError && refusal.fields["refreshToken"] === provenElsewhere;
    onSignedOut(isProvenElsewhere ? "provenElsewhere" : wasIn ? "ended" : "neverIn");
  }

  /** Refreshes, or takes over the pair of a tab that was faster. Removes the tokens only on a definite refusal (decision 035). */
  async function renew(failed: string | null): Promise<void> {
    const refreshToken = store.get("refreshToken");
    if (refreshToken === null || store.get("token") !== failed) return;
    try {
      const pair = await newPair(store, refreshToken, (body) => send("refresh", { body }, null));
      const { iat } = claimsOf(pair.token) ?? {};
      if (iat !== undefined) ahead = Math.max(0, now().getTime() - iat * 1000);
      // After a logout or another login, a late response must not restore the session, nor name the back end.
      if (store.get("refreshToken") !== refreshToken) return;
      callBackend(allowedBackend(pair.backendUrl, backends));
      saveSession(store, pair);
    } catch (error) {
      const refused = isDefinite(error);
      if (refused && store.get("refreshToken") === refreshToken) signOut(!showsLogin, error);
      // Another tab was faster and has the valid pair.
      else if (refused && store.get("refreshToken") !== null) return;
      throw error;
    }
  }

  return {
    isExpired(token) {
      const { exp } = claimsOf(token) ?? {};
      return exp !== undefined && exp * 1000 <= now().getTime() - ahead;
    },
    signOut,
    refreshing: () => refreshing !== null,
    async awaitRefresh(shows) {
      if (refreshing === null) return;
      showsLogin ||= shows;
      // The call that started the refresh gets its error. This call only waits for the refresh, for a limited time.
      await Promise.race([refreshing.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, refreshWait))]);
    },
    refresh(failed, quietly) {
      showsLogin ||= !quietly;
      refreshing ??= alone(() => renew(failed)).finally(() => {
        refreshing = null;
        showsLogin = false;
      });
      return refreshing;
    },
  };
}

/**
 * Whether the error means that the server refused the token (spec 000 §8). A 401 does, unless it has one of the endpoint's own codes: a wrong
 * password is a 401 too (decision 035).
 */
function isBearerRefused({ errors }: EndpointSpec, error: unknown): boolean {
  return (
    error instanceof ApiError && error.status === 401 && !errors.some((code) => code === error.code && code !== codes.invalidAccessToken)
  );
}

/** Statuses after which the same request may succeed later: too slow, too early, too many. */
const retryableStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Whether the server has refused for good, and is not just failing or busy. An answer without a session is a refusal too: it has used up the refresh
 * token.
 */
function isDefinite(error: unknown): boolean {
  if (v.isValiError(error)) return true;
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && !retryableStatuses.has(error.status);
}
