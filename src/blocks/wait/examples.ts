import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    { name: "the general words", content: { type: "wait", duration: 3000 }, status: "block" },
    {
      name: "words of its own, in German",
      locale: "de-DE",
      content: { type: "wait", duration: 2500, text: "Wir werten deine Hörverständnisantworten aus …" },
      status: "block",
    },
    { name: "is over", content: { type: "wait", duration: 3000, text: "Listo, ya tenemos tu resultado." }, done: true, status: "pass" },
  ],
  invalid: [
    { name: "no duration", content: { type: "wait", text: "Un momento" } },
    { name: "a time before now", content: { type: "wait", duration: -1 } },
  ],
};
