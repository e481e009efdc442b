import { choiceListExamples } from "../choiceList.examples.ts";

export const examples = choiceListExamples(
  "moreInfoOf",
  [
    { id: "lessons", text: "Cómo son las lecciones", icon: "book-open" },
    { id: "price", text: "Cuánto cuesta", icon: "tag" },
    { id: "cancel", text: "Cómo se cancela", icon: "rotate-ccw" },
  ],
  ["lessons", "price"],
  [
    { id: "certificate", text: "Teilnahmebescheinigung und Abschlusszertifikat", icon: "award" },
    { id: "cancel", text: "Kündigungsmöglichkeiten während der Programmlaufzeit", icon: "rotate-ccw" },
  ],
);
