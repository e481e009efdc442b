import type * as v from "valibot";
import type { BlockExamples } from "../block.ts";
import type { spec } from "./spec.ts";

export const examples: BlockExamples<v.InferInput<typeof spec.schema>> = {
  valid: [
    {
      name: "three ways of learning",
      content: {
        type: "table",
        caption: "Lo que cambia al practicar hablando",
        columns: [
          { type: "text", content: "", width: 40 },
          { type: "title", content: "Parlando" },
          { type: "text", content: "Clase en grupo" },
          { type: "text", content: "Solo videos" },
        ],
        rows: [
          [{ type: "title", content: "Hablas cada día" }, { type: "positive-icon" }, { type: "negative-icon" }, { type: "negative-icon" }],
          [{ type: "title", content: "A tu horario" }, { type: "positive-icon" }, { type: "negative-icon" }, { type: "positive-icon" }],
          [
            { type: "title", content: "Alguien te corrige" },
            { type: "positive-icon" },
            { type: "positive-icon" },
            { type: "negative-icon" },
          ],
        ],
      },
      status: "pass",
    },
    {
      name: "words beside the marks, in German",
      locale: "de-DE",
      content: {
        type: "table",
        caption: "Unterrichtsformen im Vergleich",
        columns: [
          { type: "text", content: "Eigenschaft", small: true },
          { type: "title", content: "Parlando", icon: "sparkles" },
          { type: "text", content: "Volkshoch\u00ADschul\u00ADkurs", icon: "school", small: true },
        ],
        rows: [
          [
            { type: "title", content: "Aussprache\u00ADrück\u00ADmeldung" },
            { type: "positive-icon", content: "sofort" },
            { type: "negative-icon", content: "selten" },
          ],
          [
            { type: "title", content: "Kündigungsfrist" },
            { type: "text", content: "jederzeit" },
            { type: "text", content: "zum Semesterende" },
          ],
          [
            { type: "title", content: "Mindest\u00ADteilnehmer\u00ADzahl" },
            { type: "text", content: "keine" },
            { type: "text", content: "acht Personen" },
          ],
        ],
      },
      status: "pass",
    },
    {
      name: "numbers at the end",
      content: {
        type: "table",
        columns: [
          { type: "text", content: "Actividad" },
          { type: "text", content: "Minutos", align: "end" },
        ],
        rows: [
          [
            { type: "text", content: "Práctica en la app" },
            { type: "text", content: "28" },
          ],
          [
            { type: "text", content: "Lecciones" },
            { type: "text", content: "24" },
          ],
        ],
      },
      status: "pass",
    },
  ],
  invalid: [
    {
      name: "a row that is too short",
      content: {
        type: "table",
        columns: [
          { type: "text", content: "A" },
          { type: "text", content: "B" },
        ],
        rows: [[{ type: "text", content: "1" }]],
      },
    },
    {
      name: "a text cell without a text",
      content: { type: "table", columns: [{ type: "text", content: "A" }], rows: [[{ type: "text" }]] },
    },
    {
      name: "an unknown kind of cell",
      content: { type: "table", columns: [{ type: "text", content: "A" }], rows: [[{ type: "neutral-icon" }]] },
    },
    { name: "no rows", content: { type: "table", columns: [{ type: "text", content: "A" }], rows: [] } },
  ],
};
