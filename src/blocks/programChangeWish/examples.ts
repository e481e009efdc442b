import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "nothing chosen yet",
      content: {
        type: "programChangeWish",
        items: [
          { id: "shorter", text: "Sesiones más cortas", icon: "timer" },
          { id: "days", text: "Menos días a la semana", icon: "calendar-days" },
          { id: "level", text: "Empezar más fácil", icon: "trending-up" },
        ],
      },
      status: "fail",
    },
    {
      name: "two chosen",
      content: {
        type: "programChangeWish",
        items: [
          { id: "shorter", text: "Sesiones más cortas", icon: "timer" },
          { id: "days", text: "Menos días a la semana", icon: "calendar-days" },
          { id: "level", text: "Empezar más fácil", icon: "trending-up" },
        ],
      },
      state: { programChangeWish: ["shorter", "level"] },
      status: "pass",
    },
    {
      name: "a hint of its own, in German",
      content: {
        type: "programChangeWish",
        hint: "Wähle alles aus, was zutrifft",
        items: [
          { id: "shorter", text: "Kürzere Übungseinheiten unter der Woche", icon: "timer" },
          { id: "weekend", text: "Wiederholungseinheiten nur am Wochenende", icon: "calendar-days" },
        ],
      },
      status: "fail",
    },
    {
      name: "what was chosen is not offered any more",
      content: {
        type: "programChangeWish",
        items: [
          { id: "shorter", text: "Sesiones más cortas", icon: "timer" },
          { id: "days", text: "Menos días a la semana", icon: "calendar-days" },
          { id: "level", text: "Empezar más fácil", icon: "trending-up" },
        ],
      },
      state: { programChangeWish: ["retired"] },
      status: "fail",
    },
  ],
  invalid: [
    { name: "nothing to choose", content: { type: "programChangeWish", items: [] } },
    { name: "an item without an id", content: { type: "programChangeWish", items: [{ text: "Algo" }] } },
  ],
};
