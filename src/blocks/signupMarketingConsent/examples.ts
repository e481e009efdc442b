import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "what comes by mail",
      content: {
        type: "signupMarketingConsent",
        text: "Un correo por semana con una frase útil, un audio corto y, a veces, un descuento.",
      },
      status: "pass",
    },
    {
      name: "German",
      locale: "de-DE",
      content: {
        type: "signupMarketingConsent",
        text: "Einmal pro Woche eine E-Mail mit einer nützlichen Redewendung, einer kurzen Hörübung und gelegentlich einem Rabatt auf deine Verlängerung.",
      },
      status: "pass",
    },
  ],
  invalid: [{ name: "no text", content: { type: "signupMarketingConsent" } }],
};
