/** The base story: everything a version may build on, in the order of its ids (design/funnel.md). */
import type { Say, Screen } from "../story.ts";
import { habit } from "./habit.ts";
import { history } from "./history.ts";
import { level } from "./level.ts";
import { motive } from "./motive.ts";
import { obstacle } from "./obstacle.ts";
import { offer } from "./offer.ts";
import { plan } from "./plan.ts";
import { signup } from "./signup.ts";

export const story = (t: Say): Screen[] => [
  ...motive(t),
  ...history(t),
  ...obstacle(t),
  ...habit(t),
  ...level(t),
  ...plan(t),
  ...signup(t),
  ...offer(t),
];
