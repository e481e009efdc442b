/** The parts that all versions share besides their screens. A version gives only its differences. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { questionsOf, type Say, type Screen } from "../story.ts";
import type { StoryVersion } from "../define.ts";
import { levelsIn, specialLevelQuestions, userLevelMappings } from "./level.ts";
import { checkoutQuestion, subscriptions } from "./offer.ts";
import { schedules } from "./plan.ts";

/**
 * The ids of the special questions in the specification's questionnaires: first, embedded on the home page, tracked twice, and target of
 * the shortcut.
 */
const specialQuestions = { initialQuestion: 2, embeddedQuestion: 2, extraTrackingQuestion: 3, shortcutQuestion: 60 };

interface VersionParts extends Partial<Omit<QuestionnaireInput, "id" | "questions">> {
  readonly story: readonly Screen[];
}

/** A version that finds the level sentence by sentence. */
export function longVersion(t: Say, { id, traits }: StoryVersion, { story, ...differences }: VersionParts): QuestionnaireInput {
  return {
    id,
    version: 1,
    theme: traits.theme,
    ...specialQuestions,
    ...specialLevelQuestions,
    progress: { type: "weight", end: checkoutQuestion },
    userLevelAlgorithm: "LevelQuestion",
    levels: levelsIn(t),
    userLevelMappings: [...userLevelMappings],
    schedules: schedules(t),
    productConfigurations: subscriptions(t),
    ...differences,
    questions: questionsOf(story),
  };
}

/** A version that asks for the level directly. */
export function shortVersion(t: Say, version: StoryVersion, parts: VersionParts): QuestionnaireInput {
  return longVersion(t, version, { userLevelAlgorithm: "InitialLevel", userLevelMappings: [], ...parts });
}
