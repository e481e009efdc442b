import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "empty",
      content: { type: "signupEmail", label: "Tu correo", placeholder: "nombre@correo.com", hint: "Te mandamos tu plan. Nada de spam." },
      status: "fail",
    },
    {
      name: "filled in",
      content: { type: "signupEmail", label: "Tu correo" },
      fields: { email: "lucia.ramos@ejemplo.mx" },
      status: "pass",
    },
    {
      name: "a likely slip, which is still accepted",
      content: { type: "signupEmail", label: "Deine E-Mail-Adresse" },
      fields: { email: "johanna.bergmann@gmial.com" },
      status: "pass",
    },
    { name: "no domain", content: { type: "signupEmail", label: "Tu correo" }, fields: { email: "lucia@" }, status: "fail" },
  ],
  invalid: [{ name: "no label", content: { type: "signupEmail", hint: "Te mandamos tu plan." } }],
};
