/** Search parameters of People: what was looked for, and the page of its results. */
import * as v from "valibot";

export const peopleSearch = v.object({
  /** What was looked for. */
  q: v.optional(v.fallback(v.pipe(v.string(), v.maxLength(254)), "")),
  /** The pages before: where each of them ended. */
  after: v.optional(v.fallback(v.pipe(v.string(), v.regex(/^\d{1,15}\.[\w-]{1,60}$/)), "")),
});
