import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "nothing chosen yet",
      content: {
        type: "skillsToImprove",
        items: [
          { id: "speaking", text: "Hablar sin trabarme", icon: "message-circle" },
          { id: "listening", text: "Entender a la primera", icon: "headphones" },
          { id: "pronunciation", text: "Pronunciar bien", icon: "mic" },
          { id: "writing", text: "Escribir correos y mensajes", icon: "pencil" },
        ],
      },
      status: "fail",
    },
    {
      name: "two chosen",
      content: {
        type: "skillsToImprove",
        items: [
          { id: "speaking", text: "Hablar sin trabarme", icon: "message-circle" },
          { id: "listening", text: "Entender a la primera", icon: "headphones" },
          { id: "pronunciation", text: "Pronunciar bien", icon: "mic" },
          { id: "writing", text: "Escribir correos y mensajes", icon: "pencil" },
        ],
      },
      state: { skillsToImprove: ["speaking", "pronunciation"] },
      status: "pass",
    },
    {
      name: "a hint of its own, in German",
      content: {
        type: "skillsToImprove",
        hint: "Wähle alles aus, was zutrifft",
        items: [
          { id: "listening", text: "Hörverständnis bei schnell gesprochenen Unterhaltungen", icon: "headphones" },
          { id: "pronunciation", text: "Ausspracheunsicherheiten überwinden", icon: "mic" },
        ],
      },
      status: "fail",
    },
    {
      name: "what was chosen is not offered any more",
      content: {
        type: "skillsToImprove",
        items: [
          { id: "speaking", text: "Hablar sin trabarme", icon: "message-circle" },
          { id: "listening", text: "Entender a la primera", icon: "headphones" },
          { id: "pronunciation", text: "Pronunciar bien", icon: "mic" },
          { id: "writing", text: "Escribir correos y mensajes", icon: "pencil" },
        ],
      },
      state: { skillsToImprove: ["retired"] },
      status: "fail",
    },
  ],
  invalid: [
    { name: "nothing to choose", content: { type: "skillsToImprove", items: [] } },
    { name: "an item without an id", content: { type: "skillsToImprove", items: [{ text: "Algo" }] } },
  ],
};
