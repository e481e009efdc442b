/** What a call's handler gets and gives: parsed input in, output or one of its row's refusals out. No HTTP in it. */
import type { Auth, Body, Endpoint, ErrorOf, Output, Query } from "#core/api.ts";
import type { ErrorCode } from "#core/errors.ts";
import type { FastifyBaseLogger } from "fastify";
import type { IncomingHttpHeaders } from "node:http";
import type { KnownAccount } from "../../accounts/knownDevices.ts";
import type { Services } from "./services.ts";

/** An expected failure as data. `fields` maps a path to a validator's key (or, for 1409, `savedAt` to the newer state's time). */
export class Refusal<Code extends ErrorCode = ErrorCode> {
  readonly code: Code;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: Code, more: { fields?: Readonly<Record<string, string>>; retryAfterSeconds?: number } = {}) {
    this.code = code;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

export function refuse<const Code extends ErrorCode>(code: Code, more?: ConstructorParameters<typeof Refusal>[1]): Refusal<Code> {
  return new Refusal(code, more);
}

/** An answer that is made while it is read: the JSON text of the row's output in pieces. */
export class Streamed {
  readonly pieces: AsyncIterable<string>;
  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}

/** Whom a valid access token speaks for. */
export interface Actor {
  readonly accountUuid: string;
  /** The refresh family that the token came from. */
  readonly sessionId: string;
}

/** What a call knows of its caller, by the `auth` of its row. */
export interface ActorByAuth {
  readonly none: null;
  readonly optional: Actor | null;
  readonly bearer: Actor;
  readonly signature: null;
}

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
export type Handler<K extends Endpoint> = (call: Call<K>, services: Services) => Promise<Output<K> | Streamed | Refusal<ErrorOf<K> | 1503>>;
