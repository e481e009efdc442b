/** What the address of this screen carries beside whose it is. */
import * as v from "valibot";
import { lineKinds } from "../contract/people.ts";

export const personSearch = v.object({
  /** Which lines are shown; all without it. */
  only: v.optional(v.fallback(v.picklist(lineKinds), "payments")),
  /** The mail that is open. */
  mail: v.optional(v.fallback(v.pipe(v.string(), v.uuid()), "")),
});
