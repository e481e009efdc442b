/** Search parameters of a person's page. */
import * as v from "valibot";
import { lineKinds } from "../contract/people.ts";

export const personSearch = v.object({
  /** Filter of the time line; all kinds by default. */
  only: v.optional(v.fallback(v.picklist(lineKinds), "payments")),
  /** Id of the open mail. */
  mail: v.optional(v.fallback(v.pipe(v.string(), v.uuid()), "")),
});
