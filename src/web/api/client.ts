/** The contract as the browser calls it (spec 000 §7, §8): one typed function over the table. */
import { type BodyInput, type Endpoint, endpoints, type EndpointSpec, type Output, type QueryInput } from "#core/api.ts";
import { errorBodySchema } from "#core/errors.ts";
import { allowedBackend } from "#core/links.ts";
import * as v from "valibot";
import { saveSession } from "../session/config.ts";
import type { KeyValueStore } from "../session/storage.ts";
import { appVersion } from "./version.ts";

/** How long other calls wait for a refresh that is under way, ms (spec 000 §9). */
export const refreshWait = 2500;

/** An answer that takes longer counts as none, ms; the server gives up on a payment provider before that. */
export const callLimit = 20_000;

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
  /** Base address of the API, without a slash at the end; as soon as it is known. */
  readonly base: () => string | Promise<string>;
  /** Every back end there is. */
  readonly backends: readonly string[];
  /** Later calls go to this one of them. */
  readonly callBackend: (url: string | null) => void;
  readonly now: () => Date;
  /** Runs work while no other tab runs its own. */
  readonly alone?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Both tokens are gone: a definite refusal, never a lost connection. */
  readonly onSignedOut: () => void;
  /** Told of each request with its end. */
  readonly watch?: (ended: EndedRequest) => void;
}

export interface EndedRequest {
  /** The call's path in the contract. */
  readonly endpoint: string;
  /** 0 without an answer. */
  readonly status: number;
  /** ms */
  readonly duration: number;
  /** Why it failed; undefined when it did not. */
  readonly error: unknown;
}

type Sent = { readonly query?: unknown; readonly body?: unknown; readonly leaving?: boolean | undefined };
type Input<K extends Endpoint> = {
  readonly query?: QueryInput<K> | undefined;
  readonly body?: BodyInput<K> | undefined;
  /** The page is going away. */ readonly leaving?: boolean | undefined;
};

export interface Api {
  /** Throws `ApiError` or `ConnectionError`. */
  readonly call: <K extends Endpoint>(endpoint: K, input?: Input<K>) => Promise<Output<K>>;
}

/** What says where the calls after it go: in its answer stands the back end that knows the visitor from then on (spec 000 §3, spec 001 §7). */
const namesBackend: ReadonlySet<Endpoint> = new Set(["login", "refresh", "signup"]);
const namedBackend = v.object({ backendUrl: v.string() });

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

export function createApi(parts: ApiParts): Api {
  const { fetch, store, deviceUuid, language, base, now, alone = (work) => work(), onSignedOut, watch } = parts;
  let refreshing: Promise<void> | null = null;

  /** One request, told with its end. */
  async function send<K extends Endpoint>(endpoint: K, input: Sent, token: string | null): Promise<Output<K>> {
    const spec: EndpointSpec = endpoints[endpoint];
    const at = spec.at === "api" ? `${await base()}/` : "";
    const started = performance.now();
    let status = 0;
    const ended = (error?: unknown) => watch?.({ endpoint: spec.path, status, duration: performance.now() - started, error });
    try {
      const reply = await answerTo(spec, at, input, token);
      status = reply.status;
      const output = v.parse(outputs[endpoint].output, reply.answer);
      if (namesBackend.has(endpoint)) parts.callBackend(allowedBackend(v.parse(namedBackend, output).backendUrl, parts.backends));
      ended();
      return output;
    } catch (error) {
      if (error instanceof ApiError) ({ status } = error);
      ended(error);
      throw error;
    }
  }

  async function answerTo(spec: EndpointSpec, at: string, input: Sent, token: string | null) {
    const query = new URLSearchParams(
      Object.entries(input.query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const url = `${at}${spec.path}${query.size > 0 ? `?${query}` : ""}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: spec.method,
        credentials: "include",
        keepalive: input.leaving ?? false,
        signal: AbortSignal.timeout(callLimit),
        headers: {
          "x-client": `parlando-web/${appVersion}`,
          "x-device-id": deviceUuid,
          // Where somebody is says which language they get: there the browser's own wishes count.
          ...(spec.at === "api" && language !== undefined ? { "accept-language": language } : {}),
          "content-type": "application/json",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(spec.method === "GET" ? {} : { body: JSON.stringify(input.body ?? {}) }),
      });
      text = await response.text();
    } catch (error) {
      throw new ConnectionError(url, error);
    }
    if (response.ok) {
      const answer: unknown = JSON.parse(text);
      return { status: response.status, answer };
    }
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

  /** One at a time. Another tab may have been quicker: then its pair is taken. Tokens go only on a definite refusal (decision 035). */
  function refresh(failed: string | null): Promise<void> {
    refreshing ??= alone(async () => {
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
    }).finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  return {
    async call(endpoint, input = {}) {
      const spec: EndpointSpec = endpoints[endpoint];
      const authenticated = spec.auth === "bearer" || (spec.auth === "optional" && store.get("token") !== null);
      if (!authenticated) return send(endpoint, input, null);

      const before = store.get("token");
      if (refreshing !== null) {
        // Whatever becomes of it is said to the call that started it; this one only waits its time.
        await Promise.race([refreshing.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, refreshWait))]);
      }
      const token = store.get("token");
      // A refresh that is still under way after the wait is not waited for any longer: the server judges the token.
      if (refreshing === null && isExpired(token, now())) await refresh(token);
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
        await refresh(current);
        try {
          return await send(endpoint, input, store.get("token"));
        } catch (error) {
          if (!isBearerRefused(spec, error)) throw error;
        }
      }
      signOut();
      return unanswered;
    },
  };
}

/** Any 401 is about the token (spec 000 §8), whatever its code, but for the one that a call has for what was sent: a wrong password (decision 035). */
function isBearerRefused({ errors }: EndpointSpec, error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && !errors.some((code) => code === error.code && code !== 1002);
}

/** Too slow, too early, too often: the same request may be taken another time. */
const comeAgain: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the server has said no for good, and not that it is in trouble or busy. */
function isDefinite(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && !comeAgain.has(error.status);
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
