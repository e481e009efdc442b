import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "nothing chosen yet",
      content: {
        type: "moreInfoOf",
        items: [
          { id: "lessons", text: "Cómo son las lecciones", icon: "book-open" },
          { id: "price", text: "Cuánto cuesta", icon: "tag" },
          { id: "cancel", text: "Cómo se cancela", icon: "rotate-ccw" },
        ],
      },
      status: "fail",
    },
    {
      name: "two chosen",
      content: {
        type: "moreInfoOf",
        items: [
          { id: "lessons", text: "Cómo son las lecciones", icon: "book-open" },
          { id: "price", text: "Cuánto cuesta", icon: "tag" },
          { id: "cancel", text: "Cómo se cancela", icon: "rotate-ccw" },
        ],
      },
      state: { moreInfoOf: ["lessons", "price"] },
      status: "pass",
    },
    {
      name: "a hint of its own, in German",
      content: {
        type: "moreInfoOf",
        hint: "Wähle alles aus, was zutrifft",
        items: [
          { id: "certificate", text: "Teilnahmebescheinigung und Abschlusszertifikat", icon: "award" },
          { id: "cancel", text: "Kündigungsmöglichkeiten während der Programmlaufzeit", icon: "rotate-ccw" },
        ],
      },
      status: "fail",
    },
    {
      name: "what was chosen is not offered any more",
      content: {
        type: "moreInfoOf",
        items: [
          { id: "lessons", text: "Cómo son las lecciones", icon: "book-open" },
          { id: "price", text: "Cuánto cuesta", icon: "tag" },
          { id: "cancel", text: "Cómo se cancela", icon: "rotate-ccw" },
        ],
      },
      state: { moreInfoOf: ["retired"] },
      status: "fail",
    },
  ],
  invalid: [
    { name: "nothing to choose", content: { type: "moreInfoOf", items: [] } },
    { name: "an item without an id", content: { type: "moreInfoOf", items: [{ text: "Algo" }] } },
  ],
};
