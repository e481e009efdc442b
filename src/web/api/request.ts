/** One request of the contract: sent, and its answer or refusal read (spec 000 §7, §8). */
import * as codes from "#core/errorCodes.ts";
import { type Endpoint, endpoints, type EndpointSpec, type Output } from "#core/api.ts";
import { errorBodySchema } from "#core/errors.ts";
import { allowedBackend } from "#core/links.ts";
import * as v from "valibot";
import { appVersion } from "./version.ts";

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

export interface RequestParts {
  readonly fetch: typeof fetch;
  readonly deviceUuid: string;
  /** Of the page: what is sent because of a call is written in it. */
  readonly language?: string;
  /** Base address of the API, without a slash at the end; as soon as it is known. */
  readonly base: () => string | Promise<string>;
  /** Every back end there is. */
  readonly backends: readonly string[];
  /** Later calls go to this one of them. */
  readonly callBackend: (url: string | null) => void;
  /** Told of each request with its end. */
  readonly watch?: (ended: EndedRequest) => void;
}

export type Sent = { readonly query?: unknown; readonly body?: unknown; readonly leaving?: boolean | undefined };
/** What says where the calls after it go: in its answer stands the back end that knows the visitor from then on (spec 000 §3, spec 001 §7). */
const namesBackend: ReadonlySet<Endpoint> = new Set(["login", "refresh", "signup"]);
const namedBackend = v.object({ backendUrl: v.string() });

const outputs: { readonly [K in Endpoint]: { readonly output: v.GenericSchema<unknown, Output<K>> } } = endpoints;

export type Send = <K extends Endpoint>(endpoint: K, input: Sent, token: string | null) => Promise<Output<K>>;

/** Sends one request and tells its end. Throws `ApiError` or `ConnectionError`. */
export function createSend(parts: RequestParts): Send {
  return async (endpoint, input, token) => {
    const spec: EndpointSpec = endpoints[endpoint];
    const at = spec.at === "api" ? `${await parts.base()}/` : "";
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
  const url = `${at}${spec.path}${query.size > 0 ? `?${query}` : ""}`;
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
  if (response.ok) {
    const answer: unknown = JSON.parse(text);
    return { status: response.status, answer };
  }
  const body = v.safeParse(v.pipe(v.string(), v.parseJson(), errorBodySchema), text);
  throw body.success
    ? new ApiError(response.status, url, body.output.code, body.output.message, body.output.fields ?? {})
    : new ApiError(response.status, url, codes.unexpected, response.statusText, {});
}

/** The page's place in a trace, where the server makes traces. */
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
    // Where somebody is says which language they get: there the browser's own wishes count.
    ...(spec.at === "api" && language !== undefined ? { "accept-language": language } : {}),
    "content-type": "application/json",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
}
