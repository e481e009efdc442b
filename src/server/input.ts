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

/**
 * More items than any call takes. Checked before validation, which would first check every item and take half a second. Looks as deep as schemas have
 * lists that a stranger can fill: a saved state has some.
 */
const endlessList = 1_000;
function hasEndlessList(value: unknown, within = 2): boolean {
  if (typeof value !== "object" || value === null || within < 0) return false;
  if (Array.isArray(value)) return value.length > endlessList;
  return Object.values(value).some((inner) => hasEndlessList(inner, within - 1));
}

/** Longer than any list of a form. */
const longList = 20;
/** As deep as schemas have lists. */
const listsWithin = 3;
function hasLongList(value: unknown, within = listsWithin): boolean {
  if (typeof value !== "object" || value === null || within < 0) return false;
  if (Array.isArray(value) && value.length > longList) return true;
  return Object.values(value).some((inner) => hasLongList(inner, within - 1));
}

/** @param sent the parsed body; empty for calls that read the raw one */
export function readInput<B, Q>(
  schemas: InputSchemas<B, Q>,
  { query: asked }: Pick<FastifyRequest, "query">,
  sent: unknown,
): { readonly body: B; readonly query: Q } | Refusal<CodeOf<"invalidInput">> {
  if (hasEndlessList(sent)) return refuse("invalidInput", { fields: { "": "validator_too_long" } });
  const bodyUntil = (abortEarly: boolean) => v.safeParse(schemas.body, sent ?? {}, { abortPipeEarly: true, abortEarly });
  let body = bodyUntil(true);
  // In a long list only the first fault is named: naming all 15,000 took 60 ms and made an answer of a megabyte from 60 kB.
  if (!body.success && !hasLongList(sent)) body = bodyUntil(false);
  const query = v.safeParse(schemas.query, asked, { abortPipeEarly: true });
  if (body.success && query.success) return { body: body.output, query: query.output };
  return refuse("invalidInput", { fields: fieldsOf([...(query.issues ?? []), ...(body.issues ?? [])]) });
}
