import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    { name: "both stores with a sentence", content: { type: "appStoreButton", text: "Tu programa te espera en la app." }, status: "pass" },
    { name: "no sentence", content: { type: "appStoreButton" }, status: "pass" },
    {
      name: "in German",
      locale: "de-DE",
      content: {
        type: "appStoreButton",
        text: "Lade die App herunter und melde dich mit deiner E-Mail-Adresse an – dein Einstufungsergebnis ist schon gespeichert.",
      },
      status: "pass",
    },
  ],
  invalid: [{ name: "a link of its own, which is configuration", content: { type: "appStoreButton", link: "https://store.example" } }],
};
