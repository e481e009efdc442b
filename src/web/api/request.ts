/** Sends one API request and reads its response or error (spec 000 §7, §8). */
import { appVersion } from "#core/appVersion.ts";
import * as codes from "#core/errorCodes.ts";
import { type Endpoint, endpoints, type EndpointSpec, type Output } from "#core/api.ts";
import { errorBodySchema } from "#core/errorBody.ts";
import { allowedBackend } from "#core/links.ts";
import { withQuery } from "#core/withQuery.ts";
import * as v from "valibot";

/** Timeout of a request, ms. The server's own timeout for payment providers is shorter. */
export const callLimit = 20_000;

/** The server refused a request. The message is the specification's (000 §8), and the error code is also the cause. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  readonly fields: Readonly<Record<string, string>>;
  /** How long the server asks us to wait before repeating the request, ms. */
  readonly retryAfter: number | undefined;
  constructor(
    status: number,
    url: string,
    code: number,
    message: string,
    fields: Readonly<Record<string, string>>,
    retryAfter: number | undefined = undefined,
  ) {
    super(`${status} error on ${url}: ${message}`, { cause: code });
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** Whether the server has refused to renew the session. The login is shown, and nothing is wrong (decision 035). */
export const isSessionOver = (error: unknown): boolean => error instanceof ApiError && error.code === codes.invalidRefreshToken;

/** There was no response: it is unknown whether the request arrived. */
export class ConnectionError extends Error {
  constructor(url: string, cause: unknown) {
    super(`No answer from ${url}`, { cause });
    this.name = "ConnectionError";
  }
}

export interface EndedRequest {
  /** The endpoint's path. */
  readonly endpoint: string;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** Milliseconds. */
  readonly duration: number;
  /** The error; undefined after success. */
  readonly error: unknown;
}

export interface RequestParts {
  readonly fetch: typeof fetch;
  readonly deviceUuid: string;
  /** The page's language. The server writes mails in it. */
  readonly language?: string;
  /** The API's base address, without a trailing slash. */
  readonly base: () => string | Promise<string>;
  /** All back ends. */
  readonly backends: readonly string[];
  /** Sends later calls to this back end. */
  readonly callBackend: (url: string | null) => void;
  /** Called when a request has ended. */
  readonly watch?: (ended: EndedRequest) => void;
}

export type Sent = {
  readonly query?: unknown;
  readonly body?: unknown;
  readonly leaving?: boolean | undefined;
  readonly at?: string | undefined;
};
/**
 * Endpoints whose response names the back end for later calls (spec 000 §3, spec 001 §7). So does a refresh's, as long as its session is still the
 * device's (`client.ts`).
 */
const namesBackend: ReadonlySet<Endpoint> = new Set(["login", "signup"]);
const namedBackend = v.object({ backendUrl: v.string() });

const outputs: { readonly [K in Endpoint]: { readonly output: v.GenericSchema<unknown, Output<K>> } } = endpoints;

export type Send = <K extends Endpoint>(endpoint: K, input: Sent, token: string | null) => Promise<Output<K>>;

/** Sends one request and reports its end. Throws `ApiError` or `ConnectionError`. */
export function createSend(parts: RequestParts): Send {
  return async (endpoint, input, token) => {
    const spec: EndpointSpec = endpoints[endpoint];
    const at = spec.at === "api" ? `${input.at ?? (await parts.base())}/` : "";
    const started = performance.now();
    let status = 0;
    const ended = (error?: unknown) => parts.watch?.({ endpoint: spec.path, status, duration: performance.now() - started, error });
    try {
      const reply = await answerTo(spec, at, input, token, parts);
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
  };
}

async function answerTo(spec: EndpointSpec, at: string, input: Sent, token: string | null, parts: RequestParts) {
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const url = withQuery(at + spec.path, query);
  let response: Response;
  let text: string;
  try {
    response = await parts.fetch(url, {
      method: spec.method,
      credentials: "include",
      keepalive: input.leaving ?? false,
      signal: AbortSignal.timeout(callLimit),
      headers: headersOf(spec, token, parts),
      ...(spec.method === "GET" ? {} : { body: JSON.stringify(input.body ?? {}) }),
    });
    text = await response.text();
  } catch (error) {
    throw new ConnectionError(url, error);
  }
  if (response.ok) return { status: response.status, answer: parsed(text, url) };
  const body = v.safeParse(v.pipe(v.string(), v.parseJson(), errorBodySchema), text);
  // A proxy or content network that limits calls knows nothing of our codes.
  const code = response.status === 429 ? codes.tooMany : codes.unexpected;
  const { fields = {}, ...told } = body.success ? body.output : { code, message: response.statusText };
  throw new ApiError(response.status, url, told.code, told.message, fields, retryAfterOf(response));
}

/** Our server answers with JSON. Anything else comes from somebody in between, such as the login page of a café's network. */
function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConnectionError(url, error);
  }
}

/** The `Retry-After` header in milliseconds, if it is a number of seconds. Proxies may send a date instead. */
function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = headers.get("retry-after");
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}

/** The page's `traceparent`, if the server records traces. */
function pageTrace(): string | undefined {
  const page = performance.getEntriesByType("navigation")[0];
  if (page === undefined || !("serverTiming" in page) || !Array.isArray(page.serverTiming)) return undefined;
  const timings: readonly PerformanceServerTiming[] = page.serverTiming;
  const parent = timings.find(({ name }) => name === "traceparent")?.description;
  return parent !== undefined && /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(parent) ? parent : undefined;
}

function headersOf(spec: EndpointSpec, token: string | null, { deviceUuid, language }: RequestParts): Record<string, string> {
  const traceparent = pageTrace();
  return {
    ...(traceparent === undefined ? {} : { traceparent }),
    "x-client": `parlando-web/${appVersion}`,
    "x-device-id": deviceUuid,
    // `/geo.json` chooses the language itself, so it needs the browser's own preferences.
    ...(spec.at === "api" && language !== undefined ? { "accept-language": language } : {}),
    "content-type": "application/json",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
}
