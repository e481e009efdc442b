import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "with a picture",
      content: {
        type: "testimonial",
        text: "En la junta del lunes contesté yo, sin pasarle el teléfono a nadie.",
        name: "Mariana",
        country: "México",
        image: "guide",
      },
      status: "pass",
    },
    {
      name: "in another language, without a picture",
      content: {
        type: "testimonial",
        text: "Ich habe drei Sprachkurse abgebrochen. Fünfzehn Minuten am Küchentisch habe ich durchgehalten.",
        name: "Jannik",
        country: "Alemania",
        locale: "de-DE",
      },
      status: "pass",
    },
  ],
  invalid: [
    { name: "nobody said it", content: { type: "testimonial", text: "Funciona.", country: "México" } },
    {
      name: "a language we do not speak",
      content: { type: "testimonial", text: "Ça marche.", name: "Léa", country: "Francia", locale: "xx-XX" },
    },
  ],
};
