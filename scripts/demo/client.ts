/** The API client of an invented visitor. Sends the device's id, the network's address and, after sign-up, the token. */
import { type Body, type BodyInput, type Endpoint, endpoints, type EndpointSpec, type Output, type QueryInput } from "#core/api.ts";
import * as v from "valibot";
import type { Visit } from "./visits.ts";

export interface Request {
  readonly method: EndpointSpec["method"];
  readonly url: string;
  readonly remoteAddress: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}
/** Sends a request to the server: injected or over HTTP. */
export type Send = (request: Request) => Promise<{ readonly statusCode: number; readonly body: string }>;

export interface Client {
  token: string | null;
  /** Makes a call. Throws when the server refuses it. */
  readonly call: <K extends Endpoint>(
    endpoint: K,
    input?: { readonly query?: QueryInput<K>; readonly body?: BodyInput<K> | Body<K> },
  ) => Promise<Output<K>>;
}

const outputs: { readonly [K in Endpoint]: { readonly output: v.GenericSchema<unknown, Output<K>> } } = endpoints;

/** The header with the visitor's country, as a CDN would set it. */
export const countryHeader = "x-demo-country";

export function createClient(
  send: Send,
  { device, network, country, night }: Pick<Visit, "device" | "network" | "country" | "night">,
): Client {
  const client: Client = {
    token: null,
    async call(endpoint, input = {}) {
      const spec: EndpointSpec = endpoints[endpoint];
      const query = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined);
      const { statusCode, body } = await send({
        method: spec.method,
        url: `${spec.at === "api" ? "/api/" : ""}${spec.path}?${new URLSearchParams(query.map(([name, value]) => [name, String(value)]))}`,
        remoteAddress: network,
        headers: {
          "content-type": "application/json",
          "x-client": "parlando-web/5.7.8",
          "x-device-id": device,
          [countryHeader]: country,
          ...(night?.brokenIn == null ? {} : { "user-agent": night.brokenIn }),
          ...(client.token === null ? {} : { authorization: `Bearer ${client.token}` }),
        },
        ...(spec.method === "GET" ? {} : { payload: JSON.stringify(input.body ?? {}) }),
      });
      if (statusCode >= 300) throw new Error(`${spec.path}: ${statusCode} ${body}`);
      return v.parse(outputs[endpoint].output, JSON.parse(body));
    },
  };
  return client;
}
