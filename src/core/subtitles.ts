/** Subtitles of a speaking guide that appear word by word (spec 001 §3, §9). */
import * as v from "valibot";
import { type Locale, locales, localeTraits } from "./locales.ts";
import { textSchema } from "./textSchema.ts";

/** The words of a subtitle appear within this share of its duration; the rest is time to read. */
export const wordPacing = 0.8;
/** Milliseconds a subtitle is shown when its timing has no duration. */
export const defaultSubtitleDuration = 5000;
/** Milliseconds before the first poll of the clock. */
export const subtitleStartDelay = 500;
/** Milliseconds between two polls of the clock. */
export const subtitlePollInterval = 25;

const milliseconds = v.pipe(v.number(), v.minValue(0));

const timingSchema = v.strictObject({ from: milliseconds, duration: v.optional(milliseconds, defaultSubtitleDuration) });
export type SubtitleTiming = v.InferOutput<typeof timingSchema>;

export const subtitlesSchema = v.array(
  v.strictObject({ text: textSchema, timing: v.strictObject(v.entriesFromList(locales, v.optional(timingSchema))) }),
);
export type Subtitle = v.InferOutput<typeof subtitlesSchema>[number];

/** A subtitle's timing in this locale, else in the nearest fallback that has one, else null. */
export function timingIn(subtitle: Subtitle, locale: Locale): SubtitleTiming | null {
  const seen = new Set<Locale>();
  for (let at = locale; !seen.has(at); at = localeTraits[at].fallback) {
    const timing = subtitle.timing[at];
    if (timing) return timing;
    seen.add(at);
  }
  return null;
}

/** How many words have been said at `at` milliseconds of the clip; null while the subtitle is not shown. */
export function wordsSaid(wordCount: number, timing: SubtitleTiming, at: number): number | null {
  const elapsed = at - timing.from;
  if (elapsed < 0 || elapsed >= timing.duration) return null;
  const perWord = (timing.duration * wordPacing) / wordCount;
  return Math.min(wordCount, Math.floor(elapsed / perWord) + 1);
}

/** Milliseconds at which the last subtitle ends; 0 without subtitles. */
export function subtitlesEnd(subtitles: readonly Subtitle[], locale: Locale): number {
  return Math.max(
    0,
    ...subtitles.map((subtitle) => timingIn(subtitle, locale)).map((timing) => (timing ? timing.from + timing.duration : 0)),
  );
}
