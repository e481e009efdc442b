import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "thirty days to decide",
      content: {
        type: "guarantee",
        title: "Garantía de devolución de 30 días",
        text: "Si no es para ti, escríbenos en los 30 días siguientes a tu primer pago y te devolvemos lo que pagaste.",
      },
      status: "pass",
    },
    {
      name: "in German",
      locale: "de-DE",
      content: {
        type: "guarantee",
        title: "30 Tage Geld-zurück-Garantie ohne Begründung",
        text: "Passt das Programm nicht zu dir, schreib uns innerhalb der ersten 30 Tage – du bekommst deine Zahlung vollständig zurückerstattet.",
      },
      status: "pass",
    },
  ],
  invalid: [
    { name: "no text", content: { type: "guarantee", title: "30 días" } },
    { name: "no title", content: { type: "guarantee", text: "Te devolvemos lo que pagaste." } },
  ],
};
