/** The guide, who opens each section in a film with subtitles or in a chat. */
import type { BlockContentInput } from "#blocks/specs.ts";
import { locales } from "#core/locales.ts";
import { insertAfter, lacking, replace, type Say, type Screen, without } from "../story.ts";

type Section = "hello" | "level" | "plan" | "offer";

/**
 * When the two sentences of each film are said, in milliseconds (media/README.md: she talks from 0.3 s until 0.8 s before the end, then listens).
 */
const sentences: Readonly<Record<Section, readonly { readonly from: number; readonly duration: number }[]>> = {
  hello: [
    { from: 300, duration: 2500 },
    { from: 2800, duration: 3200 },
  ],
  level: [
    { from: 300, duration: 2100 },
    { from: 2400, duration: 2600 },
  ],
  plan: [
    { from: 300, duration: 2700 },
    { from: 3000, duration: 3000 },
  ],
  offer: [
    { from: 300, duration: 2700 },
    { from: 3000, duration: 3000 },
  ],
};

function film(t: Say, type: "avatar" | "avatar-video", section: Section): BlockContentInput {
  const said = [t(`guide.${section}.1`), t(`guide.${section}.2`)];
  return {
    type,
    video: { filename: `guide-${section}`, extension: "webm" },
    subtitles: sentences[section].map((timing, index) => ({
      text: said[index] ?? "",
      timing: Object.fromEntries(locales.map((locale) => [locale, timing])),
    })),
  };
}

/**
 * The story with an opening for each section: after the motive, at the level test (if the story has one), before the schedule and before the offer.
 * The openings replace the slides and testimonials.
 */
export function opening(t: Say, story: readonly Screen[], openings: Readonly<Record<Section, BlockContentInput>>): Screen[] {
  const has = (id: number) => story.some((screen) => screen.id === id);
  let edited = without(story, ...[27, 29].filter(has));
  edited = insertAfter(edited, 9, {
    id: 10,
    contents: [{ type: "title", text: t("guide.hello.title") }, openings.hello],
    options: [{ id: 1, description: t("guide.hello.go") }],
  });
  if (has(40))
    edited = replace(edited, 40, (screen) => ({
      ...lacking(screen, "header"),
      contents: [{ type: "title", text: t("level.title") }, openings.level],
    }));
  edited = insertAfter(edited, 57, {
    id: 58,
    eyebrow: { text: t("plan.eyebrow"), icon: "target" },
    contents: [{ type: "title", text: t("guide.plan.title") }, openings.plan],
    options: [{ id: 1, description: t("promise.go") }],
  });
  return insertAfter(edited, has(74) ? 74 : 73, {
    id: 75,
    contents: [{ type: "title", text: t("guide.offer.title") }, openings.offer],
    options: [{ id: 1, description: t("go.continue") }],
  });
}

/** The story with the guide's films. */
export function guided(t: Say, story: readonly Screen[], type: "avatar" | "avatar-video"): Screen[] {
  return opening(t, story, {
    hello: film(t, type, "hello"),
    level: film(t, type, "level"),
    plan: film(t, type, "plan"),
    offer: film(t, type, "offer"),
  });
}
