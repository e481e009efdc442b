/** What a row of the studio's contract says. Handlers' types, validation, the client and the roles' test read it. */
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
  /** The expected failures of its row; those of every call (`codesOfEveryCall`) are not repeated. */
  readonly errors: readonly ErrorCode[];
}

export type StudioCalls = Readonly<Record<string, StudioCall>>;
/** What a handler gets: parsed, defaults filled, unknown fields dropped. */
export type InputOf<C extends StudioCall> = v.InferOutput<C["input"]>;
/** What a client sends. */
export type Sent<C extends StudioCall> = v.InferInput<C["input"]>;
export type OutputOf<C extends StudioCall> = v.InferOutput<C["output"]>;
