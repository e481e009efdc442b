import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "with stress and English words",
      content: {
        type: "paragraph",
        text: [
          "Entender llega ",
          ["tag", "b", ["antes"]],
          " que hablar. Por eso empiezas por frases como ",
          ["tag", "en", ["“Let me think about it”"]],
          ", que te dan tiempo.",
        ],
      },
      status: "pass",
    },
    {
      name: "German",
      locale: "de-DE",
      content: {
        type: "paragraph",
        text: "Du übst in kurzen Einheiten, so oft es deine Woche erlaubt. Verpasste Übungstage holst du nach, ohne dass etwas verloren geht.",
      },
      status: "pass",
    },
  ],
  invalid: [
    { name: "no text", content: { type: "paragraph" } },
    { name: "a list for a text", content: { type: "paragraph", text: { a: 1 } } },
  ],
};
