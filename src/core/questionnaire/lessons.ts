/** What the program begins with: the first lesson fits the level that the visitor's answers ended at. */
import type { CompiledQuestionnaire } from "./compile.ts";
import type { Level } from "./definition.ts";
import { levelFound } from "./level.ts";
import type { State } from "./state.ts";

/** By name; its title is the interface text `lesson.first.` and the name. */
const firstLessons = {
  beginner: "greeting",
  basic: "weekend",
  intermediate: "story",
  upperintermediate: "opinion",
} as const satisfies Readonly<Record<Level, string>>;

/** Null before there is an answer to go by, and for answers to another questionnaire. */
export function firstLesson(compiled: CompiledQuestionnaire, state: State): (typeof firstLessons)[Level] | null {
  const level = state.id === compiled.definition.id ? levelFound(compiled, state) : null;
  return level === null ? null : firstLessons[level];
}
