/** What all versions share besides their screens. A version names its differences. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { questionsOf, type Say, type Screen } from "../story.ts";
import type { ToldVersion } from "../define.ts";
import { levelsIn, specialLevelQuestions, userLevelMappings } from "./level.ts";
import { checkoutQuestion, subscriptions } from "./offer.ts";
import { schedules } from "./plan.ts";

/** The first question, the question on the home page, the one tracked twice, and the shortcut's target in the specification's questionnaires. */
const specialQuestions = { initialQuestion: 2, embeddedQuestion: 2, extraTrackingQuestion: 3, shortcutQuestion: 60 };

interface Told extends Partial<Omit<QuestionnaireInput, "id" | "questions">> {
  readonly story: readonly Screen[];
}

/** A version that finds the level sentence by sentence. */
export function longVersion(t: Say, { id, traits }: ToldVersion, { story, ...differences }: Told): QuestionnaireInput {
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
export function shortVersion(t: Say, version: ToldVersion, told: Told): QuestionnaireInput {
  return longVersion(t, version, { userLevelAlgorithm: "InitialLevel", userLevelMappings: [], ...told });
}
