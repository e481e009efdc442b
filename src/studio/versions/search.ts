/** What the address of this screen carries: the version that is open. It is optional. */
import * as v from "valibot";

const version = v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,20}$/))), undefined);

export const versionsSearch = v.object({
  version,
  /** What the open version is told apart from. */
  against: version,
});
export type VersionsSearch = v.InferOutput<typeof versionsSearch>;
