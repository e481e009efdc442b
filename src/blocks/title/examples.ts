import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    { name: "a question", content: { type: "title", text: "¿Qué te frena cuando quieres hablar inglés?" }, status: "pass" },
    {
      name: "with the visitor’s name",
      content: { type: "title", text: ["Tu plan está listo, ", ["arg", "FIRSTNAME"]] },
      status: "pass",
    },
    {
      name: "long German words",
      locale: "de-DE",
      content: { type: "title", text: "Welche Gesprächssituationen machen dir am meisten Schwierigkeiten?" },
      status: "pass",
    },
  ],
  invalid: [
    { name: "no text", content: { type: "title" } },
    { name: "an unknown field", content: { type: "title", text: "Hola", level: 2 } },
  ],
};
