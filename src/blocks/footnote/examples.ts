import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "a source",
      content: { type: "footnote", text: "Según 1,200 respuestas de alumnos que terminaron su plan. Ejemplo de la plantilla." },
      status: "pass",
    },
    {
      name: "German legal words",
      locale: "de-DE",
      content: {
        type: "footnote",
        text: "Die Abschlussbescheinigung ist keine staatlich anerkannte Sprachprüfung. Teilnahmevoraussetzungen findest du in den Nutzungsbedingungen.",
      },
      status: "pass",
    },
  ],
  invalid: [{ name: "no text", content: { type: "footnote" } }],
};
