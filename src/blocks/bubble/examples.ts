import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "we say something",
      content: { type: "bubble", text: "Entender llega antes que hablar. Aquí hablas desde la primera lección." },
      status: "pass",
    },
    {
      name: "we say it with a face",
      content: { type: "bubble", text: ["Ya tienes la mitad, ", ["arg", "FIRSTNAME"], ". Lo demás es práctica."], figure: "guide" },
      status: "pass",
    },
    {
      name: "the other answers",
      content: { type: "bubble", text: "Siempre me quedo en blanco cuando me preguntan algo.", side: "other" },
      status: "pass",
    },
    {
      name: "the sentence of a level question",
      content: {
        type: "bubble",
        text: "I’ve been meaning to call you all week.",
        size: "large",
        lang: "en",
        figure: "explain",
        hint: "No traduzcas palabra por palabra: responde con lo primero que sientas.",
      },
      status: "pass",
    },
    {
      name: "a long sentence, German hint",
      locale: "de-DE",
      content: {
        type: "bubble",
        text: "Had I known about the cancellation beforehand, I wouldn’t have gone to all that trouble.",
        size: "large",
        lang: "en",
        figure: "explain",
        hint: "Übersetze nicht Wort für Wort, sondern verlass dich auf dein erstes Gefühl.",
      },
      status: "pass",
    },
  ],
  invalid: [
    { name: "no text", content: { type: "bubble", side: "we" } },
    { name: "a side that nobody stands on", content: { type: "bubble", text: "Hola", side: "left" } },
  ],
};
