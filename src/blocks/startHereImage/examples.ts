import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    { name: "a figure with a word", content: { type: "startHereImage", image: "explain", text: "Empieza aquí" }, status: "pass" },
    {
      name: "in German",
      locale: "de-DE",
      content: { type: "startHereImage", image: "guide", text: "Hier beginnt deine Einstufung" },
      status: "pass",
    },
    {
      name: "without its picture the words stay",
      content: { type: "startHereImage", image: "missing", text: "Empieza aquí" },
      status: "pass",
    },
  ],
  invalid: [
    { name: "no picture", content: { type: "startHereImage", text: "Empieza aquí" } },
    { name: "no text", content: { type: "startHereImage", image: "guide" } },
  ],
};
