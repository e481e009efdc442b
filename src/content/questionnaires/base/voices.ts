/** What stands around testimonials: what they are, while nobody has said them (decision 136). */
import { brand } from "../../brand.ts";
import type { Say } from "../story.ts";

export const example = !brand.isOwn.voices;

export const voicesNote = (t: Say) => (example ? [{ type: "footnote" as const, text: t("voices.note") }] : []);
