import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "empty, with the general sentence",
      content: { type: "signupPassword", label: "Elige una contraseña", hint: "8 caracteres o más" },
      status: "fail",
    },
    {
      name: "too short",
      content: { type: "signupPassword", label: "Elige una contraseña" },
      fields: { password: "siete77" },
      status: "fail",
    },
    {
      name: "German consent wording",
      locale: "de-DE",
      content: {
        type: "signupPassword",
        label: "Wähle ein Passwort",
        hint: "Mindestens 8 Zeichen",
        consent:
          "Mit „Zustimmen und weiter“ willigst du ein, dass wir deine Angaben zur Erstellung deines persönlichen Lernplans verarbeiten. Du kannst deine Einwilligung jederzeit widerrufen.",
      },
      fields: { password: "korrektpferdbatterie" },
      status: "pass",
    },
  ],
  invalid: [
    { name: "no label", content: { type: "signupPassword" } },
    { name: "an unknown wording", content: { type: "signupPassword", label: "Contraseña", wording: "gdpr" } },
  ],
};
