import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    { name: "one sentence", content: { type: "description", text: "De básico a intermedio en 6 meses, a tu paso." }, status: "pass" },
    {
      name: "two German sentences",
      locale: "de-DE",
      content: {
        type: "description",
        text: "Deine Antworten bleiben unter uns. Wir stellen daraus einen Lernplan zusammen, der zu deinem Terminkalender und zu deinen Gesprächssituationen passt.",
      },
      status: "pass",
    },
  ],
  invalid: [{ name: "no text", content: { type: "description" } }],
};
