/** The interface of a studio handler: parsed input in, output or refusal out, independent of HTTP. */
import type { ErrorCode } from "#core/errors.ts";
import type { InputOf, OutputOf, Role, StudioCall, StudioCalls } from "#studio/contract/call.ts";
import type { FastifyBaseLogger } from "fastify";
import type { Refusal, Streamed } from "../base/refusal.ts";
import type { Services } from "../handlers/shared/services.ts";

export interface Operator {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** The browser's session cookie: set on signing in, cleared on signing out. */
export interface BrowserSession {
  /** Null when nobody is signed in. */
  readonly sessionId: string | null;
  /** The browser in words, such as "Firefox on Windows". */
  readonly browser: string;
  readonly setSession: (sessionToken: string) => void;
  readonly clearSession: () => void;
}

export interface StudioCallContext<C extends StudioCall> {
  readonly input: InputOf<C>;
  /** The caller; null for calls open to `anyone`. */
  readonly operator: C["role"] extends "anyone" ? Operator | null : Operator;
  readonly network: string;
  readonly browserSession: BrowserSession;
  readonly log: FastifyBaseLogger;
}

type Streams = { readonly events: true };
/** The answer; a streaming call yields outputs until `signal` aborts. */
type Answer<C extends StudioCall> = C extends Streams ? AsyncIterable<OutputOf<C>> : OutputOf<C>;

export type StudioHandler<C extends StudioCall> = (
  call: StudioCallContext<C> & (C extends Streams ? { readonly signal: AbortSignal } : unknown),
  services: Services,
) => Promise<Answer<C> | Refusal<ErrorCode> | Streamed>;

export type StudioHandlers<Calls extends StudioCalls> = { readonly [K in keyof Calls]: StudioHandler<Calls[K]> };
