/** The contract as the browser calls it (spec 000 §7, §8): one typed function over the table. */
import { type BodyInput, type Endpoint, endpoints, type EndpointSpec, type Output, type QueryInput } from "#core/api.ts";
import { errorBodySchema } from "#core/errors.ts";
import * as v from "valibot";
import { type KeyValueStore, saveTokens } from "../session/storage.ts";
import { appVersion } from "./version.ts";

/** How long other calls wait for a refresh that is under way, ms (spec 000 §9). */
export const refreshWait = 2500;

/** The server said no. Its text is the spec's (000 §8); the contract's code is also the error's cause. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  readonly fields: Readonly<Record<string, string>>;
  constructor(status: number, url: string, code: number, message: string, fields: Readonly<Record<string, string>>) {
    super(`${status} error on ${url}: ${message}`, { cause: code });
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** There was no answer: nothing is known, so nothing is concluded. */
export class ConnectionError extends Error {
  constructor(url: string, cause: unknown) {
    super(`No answer from ${url}`, { cause });
    this.name = "ConnectionError";
  }
}

export interface ApiParts {
  readonly fetch: typeof fetch;
  readonly store: KeyValueStore;
  readonly deviceUuid: string;
  /** Of the page: what is sent because of a call is written in it. */
  readonly language?: string;
  /** Base address of the API, without a slash at the end. */
  readonly base: () => string;
  readonly now: () => Date;
  /** Runs work while no other tab runs its own. */
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

const outputs: { readonly [K in Endpoint]: { readonly output: v.GenericSchema<unknown, Output<K>> } } = endpoints;

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

export function createApi({ fetch, store, deviceUuid, language, base, now, alone = (work) => work(), onSignedOut }: ApiParts): Api {
  let refreshing: Promise<void> | null = null;

  async function send(
    spec: EndpointSpec,
    input: { readonly query?: unknown; readonly body?: unknown; readonly leaving?: boolean | undefined },
    token: string | null,
  ): Promise<unknown> {
    const query = new URLSearchParams(
      Object.entries(input.query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const url = `${spec.at === "site" ? "" : `${base()}/`}${spec.path}${query.size > 0 ? `?${query}` : ""}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: spec.method,
        credentials: "include",
        keepalive: input.leaving ?? false,
        headers: {
          "x-client": `parlando-web/${appVersion}`,
          "x-device-id": deviceUuid,
          ...(language === undefined ? {} : { "accept-language": language }),
          ...(spec.body ? { "content-type": "application/json" } : {}),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(spec.body ? { body: JSON.stringify(input.body ?? {}) } : {}),
      });
      text = await response.text();
    } catch (error) {
      throw new ConnectionError(url, error);
    }
    if (response.ok) return JSON.parse(text);
    const body = v.safeParse(v.pipe(v.string(), v.parseJson(), errorBodySchema), text);
    throw body.success
      ? new ApiError(response.status, url, body.output.code, body.output.message, body.output.fields ?? {})
      : new ApiError(response.status, url, 1500, response.statusText, {});
  }

  function signOut() {
    store.remove("token");
    store.remove("refreshToken");
    onSignedOut();
  }

  /** One at a time. Another tab may have been quicker: then its pair is taken. Tokens go only on a definite refusal. */
  function refresh(failed: string | null): Promise<void> {
    refreshing ??= alone(async () => {
      const refreshToken = store.get("refreshToken");
      if (refreshToken === null || store.get("token") !== failed) return;
      try {
        const pair = v.parse(outputs.refresh.output, await send(endpoints.refresh, { body: { refreshToken } }, null));
        // Logged out, or somebody else's by now: a late answer brings nobody back.
        if (store.get("refreshToken") === refreshToken) saveTokens(store, pair);
      } catch (error) {
        const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
        if (refused && store.get("refreshToken") === refreshToken) signOut();
        // Another tab was quicker, and has the pair that counts.
        else if (refused && store.get("refreshToken") !== null) return;
        throw error;
      }
    }).finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  return {
    async call(endpoint, input = {}) {
      const spec: EndpointSpec = endpoints[endpoint];
      const authenticated = spec.auth === "bearer" || (spec.auth === "optional" && store.get("token") !== null);
      if (!authenticated) return v.parse(outputs[endpoint].output, await send(spec, input, null));

      if (refreshing !== null) {
        // Whatever becomes of it is said to the call that started it; this one only waits its time.
        await Promise.race([refreshing.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, refreshWait))]);
      }
      const token = store.get("token");
      // A refresh that is still under way after the wait is not waited for any longer: the server judges the token.
      if (refreshing === null && isExpired(token, now())) await refresh(token);
      const current = store.get("token");
      try {
        return v.parse(outputs[endpoint].output, await send(spec, input, current));
      } catch (error) {
        if (token === null || !isBearerRefused(error)) throw error;
      }
      // Logged out meanwhile, here or in another tab: the page is leaving.
      if (store.get("refreshToken") === null) return unanswered;
      // The server's clock, or a key that was changed, may end a token early.
      await refresh(current);
      try {
        return v.parse(outputs[endpoint].output, await send(spec, input, store.get("token")));
      } catch (error) {
        if (!isBearerRefused(error)) throw error;
      }
      signOut();
      return unanswered;
    },
  };
}

function isBearerRefused(error: unknown): boolean {
  return error instanceof ApiError && error.code === 1002;
}

const claimsSchema = v.pipe(v.string(), v.parseJson(), v.object({ exp: v.number() }));

/** Whether an access token's own date has passed; one that cannot be read is left for the server to judge. */
function isExpired(token: string | null, now: Date): boolean {
  const claims = token?.split(".")[1];
  if (claims === undefined) return false;
  try {
    const parsed = v.safeParse(claimsSchema, atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
    return parsed.success && parsed.output.exp * 1000 <= now.getTime();
  } catch {
    // Not base64: the server will say what it thinks of it.
    return false;
  }
}
