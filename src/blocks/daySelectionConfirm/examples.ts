import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "four days",
      content: { type: "daySelectionConfirm", text: ["Vas a practicar ", ["tag", "b", ["4 días"]], " por semana. ¿Te queda bien?"] },
      status: "pass",
    },
    {
      name: "German, two days",
      locale: "de-DE",
      content: { type: "daySelectionConfirm", text: "Du übst dienstags und donnerstags. Passt das zu deinem Arbeitsalltag?" },
      state: { days: [1, 3] },
      status: "pass",
    },
  ],
  invalid: [{ name: "no text", content: { type: "daySelectionConfirm" } }],
};
