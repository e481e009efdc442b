/** The note that testimonials are examples, while the operator has not replaced them (decision 136). */
import { brand } from "../../brand.ts";
import type { Say } from "../story.ts";

export const example = !brand.isOwn.voices;

export const voicesNote = (t: Say) => (example ? [{ type: "footnote" as const, text: t("voices.note") }] : []);
