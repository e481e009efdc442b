/** The base stories: all screens that a version can build on, ordered by id. */
import { lacking, replace, type Say, type Screen } from "../story.ts";
import type { StoryVersion } from "../define.ts";
import { habit } from "./habit.ts";
import { history } from "./history.ts";
import { level, levelPick } from "./level.ts";
import { motive } from "./motive.ts";
import { obstacle } from "./obstacle.ts";
import { offer } from "./offer.ts";
import { plan } from "./plan.ts";
import { signup } from "./signup.ts";

/** The long conversation. */
export const story = (t: Say, version: StoryVersion): Screen[] => [
  ...motive(t),
  ...history(t),
  ...obstacle(t),
  ...habit(t),
  ...level(t),
  ...plan(t),
  ...signup(t, version),
  ...offer(t),
];

/** Screens of the long conversation that the short one keeps. It has its own 55 and 56. */
const kept: readonly number[] = [2, 3, 4, 5, 6, 7, 8, 9, 20, 28, 30, 39, 57, 60, 61, 64, 67, 68, 69, 70, 73, 76, 80, 81, 82];

/** The short conversation: it asks for the level directly and omits what the plan does not need. */
export const shortStory = (t: Say, version: StoryVersion): Screen[] => {
  const follow = new Map([
    [9, 20],
    [28, 30],
    [30, 39],
    [39, 55],
    [57, 60],
    [61, 64],
    [64, 67],
    [73, 76],
  ]);
  const screens = story(t, version)
    .filter(({ id }) => kept.includes(id))
    .map((screen): Screen => {
      const next = follow.get(screen.id);
      return next === undefined ? screen : { ...screen, next };
    });
  const asked = replace(screens, 20, (screen) => ({
    ...screen,
    options: screen.options.map((option) => lacking(option, "followUpQuestion")),
    next: 28,
  }));
  const quick = replace(asked, 2, (screen) => ({ ...screen, footnote: t("motive.footnote.short") }));
  const at = quick.findIndex(({ id }) => id === 57);
  return [...quick.slice(0, at), ...levelPick(t), ...quick.slice(at)];
};
