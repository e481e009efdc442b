/** What is to be done about a step, as data; whoever called performs it. */
type TrackPayload = Readonly<Record<string, string | number>>;
export type Effect =
  | { readonly type: "save" }
  | {
      readonly type: "track";
      readonly event: "QuestionnaireAnswer" | "StudyScheduleSelected" | "CampaignEvent";
      readonly payload: TrackPayload;
    }
  | { readonly type: "goTo"; readonly questionId: number }
  | { readonly type: "goHome" };

export const save: Effect = { type: "save" };
export const goHome: Effect = { type: "goHome" };
