import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "three bars, one after the other",
      content: {
        type: "preparingProgram",
        items: [
          { label: "Tu nivel", duration: 3000, titles: ["Leyendo tus respuestas…", "Ya sabemos por dónde empezar."] },
          {
            label: "Tu semana",
            duration: 3500,
            titles: ["Repartiendo tus minutos…", ["Haciendo espacio en ", ["arg", "DAYS"], " días…"], "Tu semana está armada."],
            barColor: "accent",
          },
          {
            label: "Tus primeras lecciones",
            duration: 3000,
            titles: ["Eligiendo situaciones que te sirven…", "Listo: tu programa es tuyo."],
            barColor: "success",
            textColor: "success",
          },
        ],
      },
      status: "block",
    },
    {
      name: "long words, in German",
      locale: "de-DE",
      content: {
        type: "preparingProgram",
        items: [
          {
            label: "Einstufungsergebnis und Ausspracheschwerpunkte",
            duration: 4000,
            titles: [
              "Wir werten deine Antworten aus und suchen nach Ausspracheschwierigkeiten …",
              "Einstufung abgeschlossen: Wir wissen jetzt, wo du anfängst.",
            ],
          },
          {
            label: "Wochenübersicht mit Wiederholungseinheiten",
            duration: 4000,
            titles: ["Übungseinheiten werden auf deine Wochentage verteilt …"],
          },
        ],
      },
      status: "block",
    },
  ],
  invalid: [
    { name: "nothing to prepare", content: { type: "preparingProgram", items: [] } },
    { name: "a bar that says nothing", content: { type: "preparingProgram", items: [{ label: "Tu nivel", duration: 3000, titles: [] }] } },
    {
      name: "a colour instead of a token",
      content: { type: "preparingProgram", items: [{ label: "Tu nivel", duration: 3000, titles: ["Un momento"], barColor: "#4A3AFF" }] },
    },
  ],
};
