/** Reads a call's input with its schemas. A refusal names the invalid fields. */
import type { CodeOf } from "#core/errors.ts";
import type { FastifyRequest } from "fastify";
import * as v from "valibot";
import { Refusal, refuse } from "./base/refusal.ts";
import { fieldsOf } from "./failures.ts";

export interface InputSchemas<B, Q> {
  readonly body: v.GenericSchema<unknown, B>;
  readonly query: v.GenericSchema<unknown, Q>;
}

/** More items than any call takes. Checked before validation, which would first check every item and take half a second. */
const endlessList = 1_000;
function hasEndlessList(body: unknown): boolean {
  return (
    typeof body === "object" && body !== null && Object.values(body).some((value) => Array.isArray(value) && value.length > endlessList)
  );
}

/** @param sent the parsed body; empty for calls that read the raw one */
export function readInput<B, Q>(
  schemas: InputSchemas<B, Q>,
  { query: asked }: Pick<FastifyRequest, "query">,
  sent: unknown,
): { readonly body: B; readonly query: Q } | Refusal<CodeOf<"invalidInput">> {
  if (hasEndlessList(sent)) return refuse("invalidInput", { fields: { "": "validator_too_long" } });
  const body = v.safeParse(schemas.body, sent ?? {}, { abortPipeEarly: true });
  const query = v.safeParse(schemas.query, asked, { abortPipeEarly: true });
  if (body.success && query.success) return { body: body.output, query: query.output };
  return refuse("invalidInput", { fields: fieldsOf([...(query.issues ?? []), ...(body.issues ?? [])]) });
}
