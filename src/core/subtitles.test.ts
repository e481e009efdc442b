import { expect, test } from "vitest";
import * as v from "valibot";
import {
  defaultSubtitleDuration,
  subtitlePollInterval,
  subtitlesEnd,
  subtitlesSchema,
  subtitleStartDelay,
  timingIn,
  wordPacing,
  wordsSaid,
} from "./subtitles.ts";

test("subtitles use the specification's pacing, duration and polling times", () => {
  expect([wordPacing, defaultSubtitleDuration, subtitlePollInterval, subtitleStartDelay]).toEqual([0.8, 5000, 25, 500]);
});

test("the words appear evenly within 80 % of the duration, the first one at once", () => {
  const timing = { from: 1000, duration: 5000 };
  const at = (milliseconds: number) => wordsSaid(4, timing, milliseconds);
  expect(at(1000)).toBe(1);
  expect(at(1999)).toBe(1);
  expect(at(2000)).toBe(2);
  expect(at(3000)).toBe(3);
  expect(at(4000)).toBe(4);
  expect(at(5999)).toBe(4);
});

test("a subtitle is hidden before its start and after its duration", () => {
  expect(wordsSaid(4, { from: 1000, duration: 5000 }, 999)).toBeNull();
  expect(wordsSaid(4, { from: 1000, duration: 5000 }, 6000)).toBeNull();
});

test("a timing without a duration lasts 5000 ms", () => {
  const [subtitle] = v.parse(subtitlesSchema, [{ text: "Hola", timing: { "es-419": { from: 200 } } }]);
  expect(subtitle && timingIn(subtitle, "es-419")).toEqual({ from: 200, duration: 5000 });
});

test("a locale without its own timing uses that of the nearest fallback", () => {
  const [subtitle] = v.parse(subtitlesSchema, [{ text: "Hola", timing: { "en-US": { from: 1 }, "es-419": { from: 2 } } }]);
  expect(subtitle && timingIn(subtitle, "de-DE")?.from).toBe(2);
  expect(subtitle && timingIn(subtitle, "en-US")?.from).toBe(1);
});

test("a subtitle without a matching timing is never shown", () => {
  const [subtitle] = v.parse(subtitlesSchema, [{ text: "Hola", timing: { "de-DE": { from: 1 } } }]);
  expect(subtitle && timingIn(subtitle, "es-419")).toBeNull();
});

test("the end is the last subtitle's end, and 0 without subtitles", () => {
  const subtitles = v.parse(subtitlesSchema, [
    { text: "Hola", timing: { "es-419": { from: 0, duration: 9000 } } },
    { text: "Adiós", timing: { "es-419": { from: 3000, duration: 1000 } } },
  ]);
  expect(subtitlesEnd(subtitles, "es-419")).toBe(9000);
  expect(subtitlesEnd([], "es-419")).toBe(0);
});
