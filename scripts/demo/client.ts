/** A visitor's browser as far as the calls go: each with the device, the network and, once there is one, the token. */
import { type Body, type BodyInput, type Endpoint, endpoints, type EndpointSpec, type Output, type QueryInput } from "#core/api.ts";
import type { FastifyInstance } from "fastify";
import * as v from "valibot";
import type { Visit } from "./visits.ts";

export interface Client {
  token: string | null;
  /** Throws when the server refuses. */
  readonly call: <K extends Endpoint>(
    endpoint: K,
    input?: { readonly query?: QueryInput<K>; readonly body?: BodyInput<K> | Body<K> },
  ) => Promise<Output<K>>;
}

const outputs: { readonly [K in Endpoint]: { readonly output: v.GenericSchema<unknown, Output<K>> } } = endpoints;

export function createClient(app: FastifyInstance, { device, network }: Visit): Client {
  const client: Client = {
    token: null,
    async call(endpoint, input = {}) {
      const spec: EndpointSpec = endpoints[endpoint];
      const query = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined);
      const response = await app.inject({
        method: spec.method,
        url: `${spec.at === "api" ? "/api/" : ""}${spec.path}?${new URLSearchParams(query.map(([name, value]) => [name, String(value)]))}`,
        remoteAddress: network,
        headers: {
          "content-type": "application/json",
          "x-client": "parlando-web/5.7.8",
          "x-device-id": device,
          ...(client.token === null ? {} : { authorization: `Bearer ${client.token}` }),
        },
        ...(spec.method === "GET" ? {} : { payload: JSON.stringify(input.body ?? {}) }),
      });
      if (response.statusCode >= 300) throw new Error(`${spec.path}: ${response.statusCode} ${response.body}`);
      return v.parse(outputs[endpoint].output, response.json());
    },
  };
  return client;
}
