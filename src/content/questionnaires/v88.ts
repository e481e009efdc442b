/** Version 88: the guide in a dark theme. Kosmo, where questions change without a fade. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { guided } from "./base/guide.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import type { Say } from "./story.ts";

export const v88 = (t: Say): QuestionnaireInput => longVersion(t, "88", { theme: "Kosmo", story: guided(t, story(t, "88"), "avatar") });
