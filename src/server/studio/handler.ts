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

export interface StudioCallContext<C extends StudioCall> {
  readonly input: InputOf<C>;
  /** Who asks. A call for `anyone` has none. */
  readonly operator: C["role"] extends "anyone" ? Operator | null : Operator;
  readonly network: string;
  readonly log: FastifyBaseLogger;
}

export type StudioHandler<C extends StudioCall> = (
  call: StudioCallContext<C>,
  services: Services,
) => Promise<OutputOf<C> | Refusal<ErrorCode>>;

export type StudioHandlers<Calls extends StudioCalls> = { readonly [K in keyof Calls]: StudioHandler<Calls[K]> };
