import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "is being written",
      content: {
        type: "chatbot",
        messages: [
          { from: "guide", text: ["Hola, ", ["arg", "FIRSTNAME"], ". Soy Vera, tu guía."] },
          { from: "guide", text: "¿Te cuento cómo funciona tu primera semana?", delay: 1500 },
          { from: "visitor", text: "Sí, por favor", delay: 800 },
          { from: "guide", text: "Cuatro sesiones de 20 minutos. Escuchas, repites y hablas con alguien de verdad." },
        ],
      },
      status: "block",
    },
    {
      name: "has been written, in German",
      locale: "de-DE",
      content: {
        type: "chatbot",
        messages: [
          { from: "guide", text: "Hallo! Welche Gesprächssituationen bereiten dir Schwierigkeiten?" },
          { from: "visitor", text: "Telefonkonferenzen und Vorstellungsgespräche" },
          {
            from: "guide",
            text: [
              "Dann fangen wir mit ",
              ["tag", "b", ["Telefonkonferenzen"]],
              " an: kurze Redewendungen, mit denen du Verständnisfragen stellst.",
            ],
          },
        ],
      },
      done: true,
      status: "pass",
    },
  ],
  invalid: [
    { name: "nobody says anything", content: { type: "chatbot", messages: [] } },
    { name: "a third voice", content: { type: "chatbot", messages: [{ from: "robot", text: "01" }] } },
    { name: "a message before the one before it", content: { type: "chatbot", messages: [{ from: "guide", text: "Hola", delay: -1 }] } },
  ],
};
