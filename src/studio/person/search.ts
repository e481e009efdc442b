/** Search parameters of a person's page. */
import * as v from "valibot";
import { lineKinds } from "../contract/people.ts";

export const personSearch = v.object({
  /** The kind of lines that are shown; all by default. */
  only: v.optional(v.fallback(v.picklist(lineKinds), "payments")),
  /** The mail that is open. */
  mail: v.optional(v.fallback(v.pipe(v.string(), v.uuid()), "")),
});
