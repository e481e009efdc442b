/** Consent: what a visitor may allow beyond what the site needs to work. */
import * as v from "valibot";
import { momentSchema } from "./validation.ts";

/** functional: chat and messages; analytics: third-party statistics; marketing: advertising. */
export const consentCategories = ["functional", "analytics", "marketing"] as const;
export type ConsentCategory = (typeof consentCategories)[number];
export type Grants = Readonly<Record<ConsentCategory, boolean>>;

export const noGrants: Grants = { functional: false, analytics: false, marketing: false };
export const allGrants: Grants = { functional: true, analytics: true, marketing: true };

/** The version of the consent text. A new version asks every visitor again. */
export const consentTextVersion = "2026-11-24";
/** Where the choice was made: `gpc` is the browser's Global Privacy Control signal, `doNotSell` the link of that name. */
export const consentSources = ["banner", "settings", "gpc", "doNotSell"] as const;

const flag = v.boolean();
/** A choice, as stored on the device and recorded on the server. */
export const consentChoiceSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  at: momentSchema,
  textVersion: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/)),
  categories: v.object({ functional: flag, analytics: flag, marketing: flag }),
  source: v.picklist(consentSources),
});
export type ConsentChoice = v.InferOutput<typeof consentChoiceSchema>;
