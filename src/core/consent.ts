/** What a visitor may allow besides what the site needs. */
import * as v from "valibot";
import { momentSchema } from "./validation.ts";

/** Help and messages; statistics by others; advertising. */
export const consentCategories = ["functional", "analytics", "marketing"] as const;
export type ConsentCategory = (typeof consentCategories)[number];
export type Grants = Readonly<Record<ConsentCategory, boolean>>;

export const noGrants: Grants = { functional: false, analytics: false, marketing: false };
export const allGrants: Grants = { functional: true, analytics: true, marketing: true };

/** Which wording the visitor saw; a new one when what is asked changes, so that everybody is asked again. */
export const consentTextVersion = "2026-11-20";
/** Where the choice was made: `gpc` by the browser's signal, `doNotSell` by the link of that name. */
export const consentSources = ["banner", "settings", "gpc", "doNotSell"] as const;

const flag = v.boolean();
/** A choice as it is kept on the device and recorded on the server. */
export const consentChoiceSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  at: momentSchema,
  textVersion: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/)),
  categories: v.object({ functional: flag, analytics: flag, marketing: flag }),
  source: v.picklist(consentSources),
});
export type ConsentChoice = v.InferOutput<typeof consentChoiceSchema>;
