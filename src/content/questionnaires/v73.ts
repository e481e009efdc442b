/** Version 73: a short quiz is enough on the home page. The short story as it is; embedded for English, Latin America and Brazil. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { shortStory } from "./base/story.ts";
import { shortVersion } from "./base/version.ts";
import type { Say } from "./story.ts";

export const v73 = (t: Say): QuestionnaireInput => shortVersion(t, "73", { story: shortStory(t, "73") });
