import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    { name: "a success", content: { type: "title-sparkle", text: ["¡Bien hecho, ", ["arg", "FIRSTNAME"], "!"] }, status: "pass" },
    {
      name: "long German words",
      locale: "de-DE",
      content: {
        type: "title-sparkle",
        text: "Herzlichen Glückwunsch, Johanna: Dein persönlicher Englisch-Lernplan mit Aussprachetraining ist fertig",
      },
      status: "pass",
    },
  ],
  invalid: [{ name: "a number for a text", content: { type: "title-sparkle", text: 3 } }],
};
