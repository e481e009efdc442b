import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "has the screen, with a sentence",
      content: { type: "avatar-image", image: "explain", text: "Antes de empezar: aquí no hay respuestas malas." },
      status: "block",
    },
    {
      name: "has had the screen",
      content: { type: "avatar-image", image: "guide", text: "Ya puedes seguir." },
      done: true,
      status: "pass",
    },
    {
      name: "beside its sentence, in German",
      locale: "de-DE",
      content: {
        type: "avatar-image",
        image: "guide",
        fullscreen: false,
        text: "Grammatikkenntnisse brauchst du dafür nicht – nur ein bisschen Neugier.",
      },
      status: "pass",
    },
    { name: "without words", content: { type: "avatar-image", image: "guide", fullscreen: false }, status: "pass" },
  ],
  invalid: [
    { name: "no picture", content: { type: "avatar-image", text: "Hola" } },
    { name: "a timer before now", content: { type: "avatar-image", image: "guide", timer: -1 } },
  ],
};
