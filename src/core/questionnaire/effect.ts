/** The effects of a step, as data. The caller of `step` performs them. */
type TrackPayload = Readonly<Record<string, string | number>>;
export interface TrackEffect {
  readonly type: "track";
  readonly event: "QuestionnaireAnswer" | "StudyScheduleSelected" | "CampaignEvent";
  readonly payload: TrackPayload;
}
export type Effect =
  | { readonly type: "save" }
  | TrackEffect
  | { readonly type: "goTo"; readonly questionId: number }
  | { readonly type: "goHome" };

export const save: Effect = { type: "save" };
export const goHome: Effect = { type: "goHome" };
