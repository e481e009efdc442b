import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "three of them",
      content: {
        type: "paragraphs",
        items: [
          "Empiezas con lo que ya sabes.",
          "Cada semana sumas una situación nueva: una llamada, una cena, una entrevista.",
          ["Al final de ", ["arg", "MONTHS"], " meses conversas sin traducir en tu cabeza."],
        ],
      },
      status: "pass",
    },
    {
      name: "German",
      locale: "de-DE",
      content: {
        type: "paragraphs",
        items: [
          "Du beginnst mit dem, was du schon kannst.",
          "Jede Woche kommt eine neue Gesprächssituation dazu: ein Telefonat, ein Abendessen, ein Vorstellungsgespräch.",
        ],
      },
      status: "pass",
    },
  ],
  invalid: [
    { name: "none", content: { type: "paragraphs", items: [] } },
    { name: "no list", content: { type: "paragraphs", text: "Hola" } },
  ],
};
