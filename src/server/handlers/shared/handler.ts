/** The interface of a call's handler, without HTTP: parsed input in; output or one of its row's refusals out. */
import type { CodeOf } from "#core/errors.ts";
import type { Auth, Body, Endpoint, ErrorOf, Output, Query } from "#core/api.ts";
import type { FastifyBaseLogger } from "fastify";
import type { IncomingHttpHeaders } from "node:http";
import type { KnownAccount } from "../../accounts/knownDevices.ts";
import type { ActorByAuth } from "../../base/actor.ts";
import type { Refusal, Streamed } from "../../base/refusal.ts";
import type { Services } from "./services.ts";

export interface Call<K extends Endpoint> {
  readonly body: Body<K>;
  readonly query: Query<K>;
  readonly actor: ActorByAuth[Auth<K>];
  /** The `x-device-id` header where it is a UUID. */
  readonly device: string | null;
  /** The device's id for an account that it has logged in to before, as its cookie proves; null for an unknown device. */
  readonly knownAs: (account: KnownAccount) => string | null;
  /** Makes the answer set the cookie by which the account knows this device. */
  readonly remember: (account: KnownAccount) => void;
  /** The key of limits per network: an IPv4 address or an IPv6 /64. */
  readonly network: string;
  /** ISO 3166 alpha-2, from the configured CDN header; null when unknown. */
  readonly country: string | null;
  readonly headers: IncomingHttpHeaders;
  /** The raw body of calls with a signature; empty for other calls. */
  readonly rawBody: Buffer;
  readonly log: FastifyBaseLogger;
}

/** A handler may also refuse with the codes that every call shares, such as "not ready" (a full queue). */
export type Handler<K extends Endpoint> = (
  call: Call<K>,
  services: Services,
) => Promise<Output<K> | Streamed | Refusal<ErrorOf<K> | CodeOf<"notReady">>>;
