/** The contract as the browser calls it (spec 000 §7, §8): one typed function over the table. */
import * as codes from "#core/errorCodes.ts";
import { type BodyInput, type Endpoint, endpoints, type EndpointSpec, type Output, type QueryInput } from "#core/api.ts";
import { saveSession } from "../device/keptConfig.ts";
import type { KeyValueStore } from "../device/storage.ts";
import { claimsOf } from "./claims.ts";
import { ApiError, createSend, type RequestParts, type Send } from "./request.ts";

/** How long other calls wait for a refresh that is under way, ms (spec 000 §9). */
export const refreshWait = 2500;

export interface ApiParts extends RequestParts {
  readonly store: KeyValueStore;
  readonly now: () => Date;
  /** Runs work in one tab at a time. */
  readonly alone?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Both tokens are gone: a definite refusal, never a lost connection. */
  readonly onSignedOut: () => void;
}

type Input<K extends Endpoint> = {
  readonly query?: QueryInput<K> | undefined;
  readonly body?: BodyInput<K> | undefined;
  /** The page is going away. */ readonly leaving?: boolean | undefined;
};

export interface Api {
  /** Throws `ApiError` or `ConnectionError`. */
  readonly call: <K extends Endpoint>(endpoint: K, input?: Input<K>) => Promise<Output<K>>;
}

/** Work that one tab does at a time; when another takes too long, or the browser has no locks, it is done all the same. */
export async function aloneAmongTabs<T>(work: () => Promise<T>): Promise<T> {
  // Only secure pages have locks, whatever the types say.
  if (!("locks" in navigator)) return work();
  const patience = AbortSignal.timeout(refreshWait);
  let begun = false;
  try {
    return await navigator.locks.request("parlando-refresh", { signal: patience }, () => {
      begun = true;
      return work();
    });
  } catch (error) {
    if (begun || !patience.aborted) throw error;
    return work();
  }
}

/** A call whose page is on its way to the login: nothing that waited for it goes on (spec 000 §8: such a 401 raises no error). */
const unanswered = new Promise<never>(() => {});

export function createApi(parts: ApiParts): Api {
  const { store, now } = parts;
  const send = createSend(parts);
  const tokens = createTokens(parts, send);
  return {
    async call(endpoint, input = {}) {
      const spec: EndpointSpec = endpoints[endpoint];
      const authenticated = spec.auth === "bearer" || (spec.auth === "optional" && store.get("token") !== null);
      if (!authenticated) return send(endpoint, input, null);

      const before = store.get("token");
      if (tokens.refreshing()) await tokens.awaitRefresh();
      // A refresh that is still under way after the wait is not waited for any longer: the server judges the token.
      const token = store.get("token");
      if (!tokens.refreshing() && isExpired(token, now())) await tokens.refresh(token);
      const current = store.get("token");
      // Logged out meanwhile, here or in another tab: the page is leaving.
      if (before !== null && current === null) return unanswered;
      try {
        return await send(endpoint, input, current);
      } catch (error) {
        if (!isBearerRefused(spec, error)) throw error;
      }
      if (before !== null && store.get("token") === null) return unanswered;
      if (store.get("refreshToken") !== null) {
        // The server's clock, or a key that was changed, may end a token early.
        await tokens.refresh(current);
        try {
          return await send(endpoint, input, store.get("token"));
        } catch (error) {
          if (!isBearerRefused(spec, error)) throw error;
        }
      }
      tokens.signOut();
      return unanswered;
    },
  };
}

interface Tokens {
  readonly signOut: () => void;
  readonly refreshing: () => boolean;
  /** Until a refresh that is under way has ended, and no longer than `refreshWait`. */
  readonly awaitRefresh: () => Promise<void>;
  /** One at a time. `failed` is the token that was not taken. */
  readonly refresh: (failed: string | null) => Promise<void>;
}

function createTokens({ store, alone = (work) => work(), onSignedOut }: ApiParts, send: Send): Tokens {
  let refreshing: Promise<void> | null = null;

  function signOut() {
    store.remove("token");
    store.remove("refreshToken");
    onSignedOut();
  }

  /** Another tab may have been quicker: then its pair is taken. Tokens go only on a definite refusal (decision 035). */
  async function renew(failed: string | null): Promise<void> {
    const refreshToken = store.get("refreshToken");
    if (refreshToken === null || store.get("token") !== failed) return;
    try {
      const pair = await send("refresh", { body: { refreshToken } }, null);
      // Logged out, or somebody else's by now: a late answer brings nobody back.
      if (store.get("refreshToken") === refreshToken) saveSession(store, pair);
    } catch (error) {
      const refused = isDefinite(error);
      if (refused && store.get("refreshToken") === refreshToken) signOut();
      // Another tab was quicker, and has the pair that counts.
      else if (refused && store.get("refreshToken") !== null) return;
      throw error;
    }
  }

  return {
    signOut,
    refreshing: () => refreshing !== null,
    async awaitRefresh() {
      if (refreshing === null) return;
      // A failure is reported to the call that started the refresh; this one only waits, for a limited time.
      await Promise.race([refreshing.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, refreshWait))]);
    },
    refresh(failed) {
      refreshing ??= alone(() => renew(failed)).finally(() => {
        refreshing = null;
      });
      return refreshing;
    },
  };
}

/** Any 401 is about the token (spec 000 §8), whatever its code, but for the one that a call has for what was sent: a wrong password (decision 035). */
function isBearerRefused({ errors }: EndpointSpec, error: unknown): boolean {
  return (
    error instanceof ApiError && error.status === 401 && !errors.some((code) => code === error.code && code !== codes.invalidAccessToken)
  );
}

/** Too slow, too early, too often: the same request may be taken another time. */
const comeAgain: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the server has said no for good, and not that it is in trouble or busy. */
function isDefinite(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && !comeAgain.has(error.status);
}

/** Whether an access token's own date has passed; one that cannot be read is left for the server to judge. */
function isExpired(token: string | null, now: Date): boolean {
  const { exp } = claimsOf(token) ?? {};
  return exp !== undefined && exp * 1000 <= now.getTime();
}
