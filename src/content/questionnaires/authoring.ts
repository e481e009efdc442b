/** Id ranges for kinds of questions, and the length of questionnaires. The checker reports violations. */
import type { AuthoringRules } from "#core/questionnaire/check.ts";

/** The ids of the story's screens. */
export const authoringRules: AuthoringRules = {
  idRanges: [
    { kind: "the level questions", types: ["LevelQuestion"], first: 41, last: 52 },
    { kind: "the level views", types: ["InitialLevelView", "TargetLevelView"], first: 55, last: 59 },
    {
      kind: "schedule, days and summary",
      blocks: ["studySchedule", "daySelection", "daySelectionConfirm", "scheduleSummary"],
      first: 60,
      last: 66,
    },
    { kind: "the sign-up questions", types: ["SignupView"], first: 67, last: 72 },
    { kind: "preparing and thanks", types: ["PreparingProgram", "ThankYouView"], first: 73, last: 79 },
    { kind: "price and payment", blocks: ["price", "payment", "paddle"], first: 80, last: 89 },
  ],
  screens: { LevelQuestion: { min: 40, max: 60 }, InitialLevel: { min: 20, max: 27 } },
  minBranches: 2,
};
