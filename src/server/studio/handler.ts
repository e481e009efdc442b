/** What a handler of the studio gets and gives: parsed input in, output or a refusal out. No HTTP in it. */
import type { ErrorCode } from "#core/errors.ts";
import type { InputOf, OutputOf, Role, StudioCall, StudioCalls } from "#studio/contract/call.ts";
import type { FastifyBaseLogger } from "fastify";
import type { Refusal } from "../base/refusal.ts";
import type { Services } from "../handlers/shared/services.ts";

export interface Operator {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** The browser's session: who signs in is let in by it, and who leaves is let out. */
export interface Door {
  /** Null when nobody is signed in. */
  readonly sessionId: string | null;
  /** In words, such as "Firefox on Windows". */
  readonly browser: string;
  readonly letIn: (sessionToken: string) => void;
  readonly letOut: () => void;
}

export interface StudioCallContext<C extends StudioCall> {
  readonly input: InputOf<C>;
  /** Who asks. A call for `anyone` has none. */
  readonly operator: C["role"] extends "anyone" ? Operator | null : Operator;
  readonly network: string;
  readonly door: Door;
  readonly log: FastifyBaseLogger;
}

type Streams = { readonly events: true };
/** The call's answer; one that goes on gives output after output until `signal` says that nobody listens any more. */
type Answer<C extends StudioCall> = C extends Streams ? AsyncIterable<OutputOf<C>> : OutputOf<C>;

export type StudioHandler<C extends StudioCall> = (
  call: StudioCallContext<C> & (C extends Streams ? { readonly signal: AbortSignal } : unknown),
  services: Services,
) => Promise<Answer<C> | Refusal<ErrorCode>>;

export type StudioHandlers<Calls extends StudioCalls> = { readonly [K in keyof Calls]: StudioHandler<Calls[K]> };
