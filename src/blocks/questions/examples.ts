import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "before a plan is bought",
      content: {
        type: "questions",
        title: "Lo que más nos preguntan",
        items: [
          { question: "¿Y si quiero dejarlo?", answer: "Cancelas en tu cuenta o por correo. Sin llamadas ni preguntas." },
          { question: "¿Y si no me da tiempo?", answer: "Si haces una pausa, sigues donde te quedaste. Tu avance no se pierde." },
          { question: "¿Y si no me gusta?", answer: "Tienes 30 días para pedir que te devolvamos tu dinero." },
        ],
      },
      status: "pass",
    },
  ],
  invalid: [
    { name: "nothing is asked", content: { type: "questions", title: "Preguntas", items: [] } },
    { name: "a question without an answer", content: { type: "questions", title: "Preguntas", items: [{ question: "¿Y si no?" }] } },
  ],
};
