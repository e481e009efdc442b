import { pictureName } from "#core/marks.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Default milliseconds per slide (spec 001 §9). */
export const defaultSlideDelay = 4500;

const schema = v.strictObject({
  type: v.literal("slideshow"),
  requirements: v.optional(ruleGroupSchema),
  slideshowOptions: v.strictObject({
    /** `image` is the name of a picture. */
    items: v.pipe(v.array(v.strictObject({ image: pictureName, text: textSchema })), v.minLength(1)),
    /** Milliseconds per slide. */
    delay: v.optional(v.pipe(v.number(), v.minValue(1)), defaultSlideDelay),
    /** Whether bars show the current slide and its remaining time. */
    progress: v.optional(v.boolean(), true),
  }),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "slideshow",
  schema,
  submits: true,
  /** Goes on by itself after the last slide, so there is never a button (spec 001 §4). */
  validate: () => "block",
  uiTexts: [
    "block.slideshow.pause",
    "block.slideshow.play",
    "block.slideshow.next",
    "block.slideshow.last",
    "block.slideshow.previous",
    "block.slideshow.position",
  ],
  largePictures: () => true,
});
