import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "three slides with bars",
      content: {
        type: "slideshow",
        slideshowOptions: {
          items: [
            { image: "explain", text: "Primero escuchas: frases cortas, de las que se usan todos los días." },
            { image: "guide", text: "Luego hablas tú, en voz alta y sin que nadie te juzgue." },
            { image: "point", text: "Y al final de la semana ves cuánto avanzaste." },
          ],
        },
      },
      status: "block",
    },
    {
      name: "slow, without bars, in German",
      locale: "de-DE",
      content: {
        type: "slideshow",
        slideshowOptions: {
          items: [
            {
              image: "calm",
              text: "Aussprachetraining, Hörverständnis und Gesprächssituationen wechseln sich ab, damit es auch nach der dritten Woche abwechslungsreich bleibt.",
            },
            { image: "steady", text: "Fortschrittsbenachrichtigungen bekommst du nur, wenn du sie haben möchtest." },
          ],
          delay: 8000,
          progress: false,
        },
      },
      status: "block",
    },
  ],
  invalid: [
    { name: "no slides", content: { type: "slideshow", slideshowOptions: { items: [] } } },
    { name: "a slide without a picture", content: { type: "slideshow", slideshowOptions: { items: [{ text: "Sin imagen" }] } } },
    {
      name: "a delay of nothing",
      content: { type: "slideshow", slideshowOptions: { items: [{ image: "guide", text: "Hola" }], delay: 0 } },
    },
  ],
};
