/** Search parameters of People: the query and the page of results. */
import * as v from "valibot";

export const peopleSearch = v.object({
  /** The search query. */
  q: v.optional(v.fallback(v.pipe(v.string(), v.maxLength(254)), "")),
  /** Where this page begins: the cursor at which the previous one ended; empty for the first. */
  after: v.optional(v.fallback(v.pipe(v.string(), v.regex(/^\d{1,15}\.[\w-]{1,60}$/)), "")),
});
