/** Search parameters of Settings: the open tab and the audit's filters. */
import * as v from "valibot";

const text = v.fallback(v.optional(v.string()), undefined);
const day = v.fallback(v.optional(v.pipe(v.string(), v.isoDate())), undefined);

export const settingsParts = ["me", "operators", "audit"] as const;
export const settingsSearch = v.object({
  part: v.fallback(v.optional(v.picklist(settingsParts)), undefined),
  operator: text,
  action: text,
  subject: text,
  from: day,
  to: day,
});
