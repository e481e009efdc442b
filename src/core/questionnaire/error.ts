/** The errors of the questionnaire logic (spec 000 §5): a key for code, and the message. */
export const questionnaireReasons = {
  noInitialLevelView: "No InitialLevelView found!",
  noPreparingProgram: "No PreparingProgram found!",
  noThankYouView: "No ThankYouView or program view found!",
  noInitialQuestion: "No initial question found!",
  noEmbeddedQuestion: "No embedded question found!",
  noUserLevelOption: "No userLevel option found!",
  noTargetLevelOption: "No target level option found!",
  noHistory: "No history to go backwards!",
  noFollowUpId: "No followUpId found!",
  unknownQuestion: "No such question!",
  unknownOption: "No such option!",
  unknownSchedule: "No such study schedule!",
} as const;
export type QuestionnaireReason = keyof typeof questionnaireReasons;

/** Thrown when a definition does not let the engine go on; `detail` names the place ("question 12, option 3"). */
export class QuestionnaireError extends Error {
  readonly reason: QuestionnaireReason;

  constructor(reason: QuestionnaireReason, detail?: string) {
    super(detail === undefined ? questionnaireReasons[reason] : `${questionnaireReasons[reason]} (${detail})`);
    this.name = "QuestionnaireError";
    this.reason = reason;
  }
}
