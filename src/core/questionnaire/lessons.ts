/** The program's first lesson, chosen by the visitor's level. */
import type { CompiledQuestionnaire } from "./compile.ts";
import type { Level } from "./definition.ts";
import { userLevelOrNull } from "./level.ts";
import type { State } from "./state.ts";

/** Keys of the lessons' titles: the interface text is `lesson.first.<name>`. */
const firstLessons = {
  beginner: "greeting",
  basic: "weekend",
  intermediate: "story",
  upperintermediate: "opinion",
} as const satisfies Readonly<Record<Level, string>>;

/** Null while the level is unknown, and for answers to another questionnaire. */
export function firstLesson(compiled: CompiledQuestionnaire, state: State): (typeof firstLessons)[Level] | null {
  const level = state.id === compiled.definition.id ? userLevelOrNull(compiled, state) : null;
  return level === null ? null : firstLessons[level];
}
