import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "empty",
      content: { type: "signupName", label: "¿Cómo te llamas?", hint: "Solo tu nombre. Así te saluda tu guía." },
      status: "fail",
    },
    { name: "filled in", content: { type: "signupName", label: "Tu nombre" }, fields: { firstname: "Lucía" }, status: "pass" },
    {
      name: "German",
      locale: "de-DE",
      content: { type: "signupName", label: "Wie möchtest du angesprochen werden?", hint: "Dein Vorname genügt." },
      fields: { firstname: "Karl-Friedrich Maximilian" },
      status: "pass",
    },
    { name: "only spaces", content: { type: "signupName", label: "Tu nombre" }, fields: { firstname: "   " }, status: "fail" },
  ],
  invalid: [{ name: "no label", content: { type: "signupName" } }],
};
