import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "a figure with a badge",
      content: { type: "image", image: "dance", alt: "Una alumna que baila de alegría", badge: "Desde el día 1" },
      status: "pass",
    },
    { name: "only decoration", content: { type: "image", image: "sit", alt: "" }, status: "pass" },
  ],
  invalid: [
    { name: "no text for those who cannot see it", content: { type: "image", image: "dance" } },
    { name: "no picture", content: { type: "image", alt: "Una alumna" } },
  ],
};
