import { choiceListExamples } from "../choiceList.examples.ts";

export const examples = choiceListExamples(
  "programChangeWish",
  [
    { id: "shorter", text: "Sesiones más cortas", icon: "timer" },
    { id: "days", text: "Menos días a la semana", icon: "calendar-days" },
    { id: "level", text: "Empezar más fácil", icon: "trending-up" },
  ],
  ["shorter", "level"],
  [
    { id: "shorter", text: "Kürzere Übungseinheiten unter der Woche", icon: "timer" },
    { id: "weekend", text: "Wiederholungseinheiten nur am Wochenende", icon: "calendar-days" },
  ],
);
