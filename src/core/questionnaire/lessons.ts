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

/**
 * Null while the level is unknown.
 * @param level the level of the account's saved answers, for answers to another questionnaire than this one
 */
export function firstLesson(
  compiled: CompiledQuestionnaire,
  state: State | null,
  level: Level | null = null,
): (typeof firstLessons)[Level] | null {
  const known = state?.id === compiled.definition.id ? userLevelOrNull(compiled, state) : level;
  return known === null ? null : firstLessons[known];
}
