/** The body of an error answer. In a file of its own, so that visitors' pages do not load the table of errors. */
import * as v from "valibot";

/** The body of every error answer. `fields` maps a path (`user.email`) to a validator's key or a value. */
export const errorBodySchema = v.object({
  code: v.number(),
  message: v.string(),
  fields: v.optional(v.record(v.string(), v.string())),
});
export type ErrorBody = v.InferOutput<typeof errorBodySchema>;

/** The value of `fields.refreshToken` when the session ended because its address was proven on another device (decision 047). */
export const provenElsewhere = "proven_elsewhere";
