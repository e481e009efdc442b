import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "points with icons",
      content: {
        type: "list",
        items: [
          { text: "Hablas desde la primera lección", detail: "Sin esperar a “saber más”", icon: "mic" },
          { text: "Veinte minutos bastan", icon: "timer" },
          { text: "Siempre hay alguien que te responde", detail: "En menos de un día", icon: "life-buoy" },
        ],
      },
      status: "pass",
    },
    {
      name: "ticks",
      content: {
        type: "list",
        items: [{ text: "Cancelas cuando quieras" }, { text: "Ayuda en español" }, { text: "Tu avance se guarda solo" }],
      },
      status: "pass",
    },
    {
      name: "numbered, German",
      locale: "de-DE",
      content: {
        type: "list",
        ordered: true,
        items: [
          { text: "Bestätige deine E-Mail-Adresse", detail: "Den Bestätigungslink findest du in deinem Posteingang." },
          { text: "Lade die App auf dein Smartphone" },
          { text: "Vereinbare deine erste Unterrichtsstunde mit einer Muttersprachlerin" },
        ],
      },
      status: "pass",
    },
  ],
  invalid: [
    { name: "no items", content: { type: "list", items: [] } },
    { name: "items without text", content: { type: "list", items: [{ icon: "mic" }] } },
  ],
};
