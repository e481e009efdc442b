/** What a speaking guide has said so far: subtitles that appear word by word (spec 001 §3, §9). */
import * as v from "valibot";
import { type Locale, locales, localeTraits } from "./locales.ts";
import { textSchema } from "./text.ts";

/** The words of a subtitle come within this share of its duration; the rest is for reading. */
export const wordPacing = 0.8;
/** Milliseconds a subtitle stands when its timing does not say. */
export const defaultSubtitleDuration = 5000;
/** Milliseconds before the first look at the clock. */
export const subtitleStartDelay = 500;
/** Milliseconds between two looks at the clock. */
export const subtitlePollInterval = 25;

const milliseconds = v.pipe(v.number(), v.minValue(0));

const timingSchema = v.strictObject({ from: milliseconds, duration: v.optional(milliseconds, defaultSubtitleDuration) });
export type SubtitleTiming = v.InferOutput<typeof timingSchema>;

export const subtitlesSchema = v.array(
  v.strictObject({ text: textSchema, timing: v.strictObject(v.entriesFromList(locales, v.optional(timingSchema))) }),
);
export type Subtitle = v.InferOutput<typeof subtitlesSchema>[number];

/** A subtitle's timing in this locale, or in the nearest one that has one; null when no clip speaks it. */
export function timingIn(subtitle: Subtitle, locale: Locale): SubtitleTiming | null {
  const seen = new Set<Locale>();
  for (let at = locale; !seen.has(at); at = localeTraits[at].fallback) {
    const timing = subtitle.timing[at];
    if (timing) return timing;
    seen.add(at);
  }
  return null;
}

/** How many of a text's words have been said at `at` milliseconds of the clip; null while the subtitle does not show. */
export function wordsSaid(wordCount: number, timing: SubtitleTiming, at: number): number | null {
  const elapsed = at - timing.from;
  if (elapsed < 0 || elapsed >= timing.duration) return null;
  const perWord = (timing.duration * wordPacing) / wordCount;
  return Math.min(wordCount, Math.floor(elapsed / perWord) + 1);
}

/** Milliseconds at which the last subtitle is over; 0 without any. */
export function subtitlesEnd(subtitles: readonly Subtitle[], locale: Locale): number {
  return Math.max(
    0,
    ...subtitles.map((subtitle) => timingIn(subtitle, locale)).map((timing) => (timing ? timing.from + timing.duration : 0)),
  );
}
