import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "counts up once, before it says what was found",
      content: {
        type: "proofProgress",
        label: "Comparando tus respuestas con las de quienes empezaron como tú",
        text: "9 de cada 10 que practicaron a tu ritmo subieron de nivel.",
      },
      status: "block",
    },
    {
      name: "has reached its end",
      content: {
        type: "proofProgress",
        label: "Comparando tus respuestas con las de quienes empezaron como tú",
        text: ["9 de cada 10 que practicaron ", ["tag", "b", [["arg", "DAYS"], " días a la semana"]], " subieron de nivel."],
      },
      done: true,
      status: "pass",
    },
    {
      name: "stands still, in German",
      locale: "de-DE",
      content: {
        type: "proofProgress",
        label: "Wahrscheinlichkeit, dass du dein Sprachniveau innerhalb der vereinbarten Programmlaufzeit erreichst",
        text: "Regelmäßige Übungseinheiten machen den entscheidenden Unterschied – nicht die Begabung.",
        proofProgressOptions: { animation: false },
      },
      status: "pass",
    },
    { name: "says nothing at its end", content: { type: "proofProgress", label: "Revisando tu nivel" }, status: "block" },
  ],
  invalid: [
    { name: "no label", content: { type: "proofProgress" } },
    {
      name: "an animation that is neither on nor off",
      content: { type: "proofProgress", label: "Revisando", proofProgressOptions: { animation: "slow" } },
    },
    { name: "an unknown field", content: { type: "proofProgress", label: "Revisando", duration: 2 } },
  ],
};
