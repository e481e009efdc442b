/** A visit as a sequence of screens. */
import type { Output } from "../client.ts";
import { inWords } from "../parts/formats.ts";

type Visit = Output<"funnelVisit">;
type VisitEvent = Visit["events"][number];

export interface Stay {
  readonly questionId: number;
  readonly title: string;
  readonly picture: string | null;
  readonly from: number;
  readonly to: number;
  /** The events from this screen's showing until the next screen's. */
  readonly events: readonly VisitEvent[];
}

export function staysOf({ events, lastAt }: Pick<Visit, "events" | "lastAt">): readonly Stay[] {
  const starts = events.flatMap(({ type }, place) => (type === "QuestionnaireQuestionShown" ? [place] : []));
  return starts.flatMap((place, index) => {
    const [shown, next] = [events[place], starts[index + 1]];
    if (shown === undefined || shown.questionId === null) return [];
    const { questionId, title, picture, at } = shown;
    const to = (next === undefined ? undefined : events[next]?.at) ?? lastAt;
    return [
      { questionId, title: title ?? `Screen ${questionId}`, picture, from: at, to: Math.max(at, to), events: events.slice(place, next) },
    ];
  });
}

/** The time on a screen, in words. The last one has none: no event says when it was left. */
export const staysFor = ({ from, to }: Stay, isLast: boolean, left: boolean): string =>
  isLast ? (left ? "left here" : "still here") : `${inWords.lasting(to - from)} on this screen`;

const words: Readonly<Record<string, string>> = {
  GetQuestionnaire: "Came",
  QuestionnaireQuestionShown: "Screen shown",
  QuestionnaireAnswer: "Chose",
  StudyScheduleSelected: "Chose a schedule",
  QuestionnairePopupShown: "A message opened",
  CampaignEvent: "Came from a campaign",
  ChatbotOpen: "Opened the chat",
  PaymentMethodSelected: "Chose how to pay",
  PurchaseFlow: "Payment",
};

export const wordsOf = ({ type, answer }: VisitEvent): string => `${words[type] ?? type}${answer === null ? "" : `: ${answer}`}`;
