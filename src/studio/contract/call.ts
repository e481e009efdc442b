/** One row of the studio's contract. Types of handlers, validation, the client and the test of roles come from it. */
import type { ErrorCode } from "#core/errors.ts";
import type * as v from "valibot";

/** Each role includes the ones before it. */
export const roles = ["viewer", "support", "editor", "publisher", "admin"] as const;
export type Role = (typeof roles)[number];
export const mayAs = (role: Role, asked: Role): boolean => roles.indexOf(role) >= roles.indexOf(asked);

export interface StudioCall {
  /** GET reads; POST changes something, and leaves an audit row. The path is `/studio/api/<key>`. */
  readonly method: "GET" | "POST";
  /** The lowest role that may make the call; `anyone` for signing in. */
  readonly role: Role | "anyone";
  /** Schema of the query (GET, every value is text) or of the JSON body (POST). */
  readonly input: v.GenericSchema;
  readonly output: v.GenericSchema;
  /** The answer is a stream of server-sent events, each of them an output. GET only. */
  readonly events?: true;
  /** Errors of this call, without those of every call (`codesOfEveryCall`). */
  readonly errors: readonly ErrorCode[];
}

export type StudioCalls = Readonly<Record<string, StudioCall>>;
/** The handler's input: parsed, with defaults, without unknown fields. */
export type InputOf<C extends StudioCall> = v.InferOutput<C["input"]>;
/** The client's input, before parsing. */
export type Sent<C extends StudioCall> = v.InferInput<C["input"]>;
export type OutputOf<C extends StudioCall> = v.InferOutput<C["output"]>;
