/** Data for the checker from the blocks, texts, media and catalogue, which it cannot import. */
import type { Locale } from "../../locales.ts";
import type { BlockSchema } from "../../marks.ts";
import type { ContentItem } from "../definition.ts";
import type { AuthoringRules } from "./authoring.ts";

export type Need = "schedule" | "days" | "firstname" | "email" | "signup" | "level" | "targetLevel" | "product";

/** The checker skips a check without its field. */
export interface Surroundings {
  readonly authoring?: AuthoringRules;
  readonly blockSchema?: BlockSchema;
  /** What a block reads about the visitor. */
  readonly blockNeeds?: (content: ContentItem) => readonly Need[];
  /** Placeholders that the block fills itself. */
  readonly blockPlaceholders?: (content: ContentItem) => readonly string[];
  readonly isHeading?: (content: ContentItem) => boolean;
  readonly requiresConsent?: (country: string) => boolean;
  readonly hasPicture?: (name: string, locale: Locale) => boolean;
  readonly hasVideo?: (filename: string, extension: string, locale: Locale) => boolean;
  readonly hasIcon?: (name: string) => boolean;
  readonly hasProduct?: (productType: string, productPlan: string, currency: string | undefined) => boolean;
  /** The currencies of all countries that products are offered to. */
  readonly currencies?: readonly string[];
  readonly hasCoupon?: (code: string) => boolean;
}
