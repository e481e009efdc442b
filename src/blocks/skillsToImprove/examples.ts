import { choiceListExamples } from "../choiceList.examples.ts";

export const examples = choiceListExamples(
  "skillsToImprove",
  [
    { id: "speaking", text: "Hablar sin trabarme", icon: "message-circle" },
    { id: "listening", text: "Entender a la primera", icon: "headphones" },
    { id: "pronunciation", text: "Pronunciar bien", icon: "mic" },
    { id: "writing", text: "Escribir correos y mensajes", icon: "pencil" },
  ],
  ["speaking", "pronunciation"],
  [
    { id: "listening", text: "Hörverständnis bei schnell gesprochenen Unterhaltungen", icon: "headphones" },
    { id: "pronunciation", text: "Ausspracheunsicherheiten überwinden", icon: "mic" },
  ],
);
