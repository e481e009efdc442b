/** Search parameters of Versions: the open version, and the one it is compared with. */
import * as v from "valibot";

const version = v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,20}$/))), undefined);

export const versionsSearch = v.object({
  version,
  /** The version it is compared with. */
  against: version,
});
export type VersionsSearch = v.InferOutput<typeof versionsSearch>;
