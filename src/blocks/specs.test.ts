/** Names and defaults of the options and items that the specification gives to blocks (spec 001 §3). */
import { locales } from "#core/locales.ts";
import { expect, test } from "vitest";
import type { BlockContentInput } from "./specs.ts";
import { parseContent } from "./allContents.ts";

const item = { label: "Tu nivel", duration: 3000, titles: ["Leyendo", "Hecho"] };
const subtitle = { text: "Hola", timing: {} };

test.each<readonly [BlockContentInput, object]>([
  [{ type: "studySchedule" }, { studyScheduleOptions: { mini: false } }],
  [{ type: "daySelection" }, { daySelectionOptions: { days: 5 } }],
  [{ type: "programPromise" }, { programPromiseOptions: { range: true } }],
  [{ type: "proofProgress", label: "Comparando" }, { proofProgressOptions: { animation: true } }],
  [
    { type: "slideshow", slideshowOptions: { items: [{ image: "guide", text: "Uno" }] } },
    { slideshowOptions: { delay: 4500, progress: true } },
  ],
  [
    { type: "avatar", video: { filename: "guide-hello", extension: "webm" }, subtitles: [] },
    { fullscreen: true, hidden: false },
  ],
])("%j has its defaults", (content, defaults) => {
  expect(parseContent(content)).toMatchObject(defaults);
});

test.each<BlockContentInput>([
  { type: "studySchedule", studyScheduleOptions: { mini: true } },
  { type: "daySelection", daySelectionOptions: { days: 3, textInProgress: "Faltan", textDone: "Listo" } },
  { type: "programPromise", programPromiseOptions: { range: false, months: 12 } },
  { type: "proofProgress", label: "Comparando", proofProgressOptions: { animation: false } },
  { type: "slideshow", slideshowOptions: { items: [{ image: "guide", text: "Uno" }], delay: 8000, progress: false } },
  { type: "preparingProgram", items: [{ ...item, barColor: "accent", textColor: "quiet" }] },
  { type: "testimonial", text: "Ya contesto yo.", name: "Mariana", country: "México", image: "guide", locale: "es-419" },
  {
    type: "table",
    columns: [
      { type: "title", content: "Parlando", align: "end", width: 40, small: true, icon: "star" },
      { type: "text", content: "" },
    ],
    rows: [
      [
        { type: "title", content: "Hablas" },
        { type: "text", content: "sí" },
      ],
      [{ type: "positive-icon" }, { type: "negative-icon" }],
    ],
  },
  {
    type: "avatar",
    fullscreen: false,
    video: { filename: "guide-hello", extension: "mp4" },
    hidden: true,
    timer: 2000,
    subtitles: [{ ...subtitle, timing: Object.fromEntries(locales.map((locale) => [locale, { from: 0, duration: 1000 }])) }],
  },
])("$type keeps every field of the specification", (content) => {
  expect(parseContent(content)).toEqual(content);
});
