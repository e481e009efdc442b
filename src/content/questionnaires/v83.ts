/** Version 83: asks openly for consent to news by e-mail. Its traits are its whole difference; the default for Italy, Spain and Germany. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import type { Say } from "./story.ts";

export const v83 = (t: Say): QuestionnaireInput => longVersion(t, "83", { story: story(t, "83") });
