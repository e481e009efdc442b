/** What a call's handler gets and gives: parsed input in, output or one of its row's refusals out. No HTTP in it. */
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
  /** The device's id with an account it has logged in to before, which its cookie proves; null for a stranger's. */
  readonly knownAs: (account: KnownAccount) => string | null;
  /** Has the answer make this device known to the account. */
  readonly remember: (account: KnownAccount) => void;
  /** What limits per network count by: an IPv4 address or an IPv6 /64. */
  readonly network: string;
  /** ISO 3166 alpha-2 from the configured CDN header, null when unknown. */
  readonly country: string | null;
  readonly headers: IncomingHttpHeaders;
  /** As received, on calls that carry a signature; empty elsewhere. */
  readonly rawBody: Buffer;
  readonly log: FastifyBaseLogger;
}

/** Codes a handler may give besides its row's: not ready (a full queue). */
export type Handler<K extends Endpoint> = (
  call: Call<K>,
  services: Services,
) => Promise<Output<K> | Streamed | Refusal<ErrorOf<K> | CodeOf<"notReady">>>;
