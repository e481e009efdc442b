import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "a part of the last star",
      content: { type: "appRating", rating: 4.7, text: "Calificación de quienes ya practican con la app" },
      status: "pass",
    },
    {
      name: "full marks, in German",
      locale: "de-DE",
      content: {
        type: "appRating",
        rating: 5,
        text: "Durchschnittliche Nutzerbewertung der Sprachlernanwendung in den vergangenen zwölf Monaten",
      },
      status: "pass",
    },
    { name: "nothing yet", content: { type: "appRating", rating: 0, text: "Todavía sin calificaciones" }, status: "pass" },
  ],
  invalid: [
    { name: "more than five stars", content: { type: "appRating", rating: 5.1, text: "Imposible" } },
    { name: "less than none", content: { type: "appRating", rating: -1, text: "Imposible" } },
    { name: "no text", content: { type: "appRating", rating: 4 } },
  ],
};
