/** Milestones of a visit. Every version has them, whatever its screens. */
import { holdsPayment } from "#core/questionnaire/check/specialQuestions.ts";
import type { Question } from "#core/questionnaire/definition.ts";
import type { Journey } from "./journey.ts";

/** In the order of the funnel. */
export const milestones = ["visitors", "began", "level", "signedUp", "offers", "checkout", "purchases"] as const;
export type Milestone = (typeof milestones)[number];

const screenOf = {
  level: ({ type }) => type === "InitialLevelView",
  // The first screen after sign-up.
  signedUp: ({ type }) => type === "PreparingProgram",
  offers: ({ contents }) => contents.some(({ type }) => type === "price"),
  checkout: holdsPayment,
} as const satisfies Partial<Record<Milestone, (question: Question) => boolean>>;

/** For one version: the ids of the questions that reach each milestone when shown. */
export type MilestoneScreens = Readonly<Record<keyof typeof screenOf, readonly number[]>>;

export function milestoneScreens(questions: readonly Question[]): MilestoneScreens {
  const ids = (name: keyof typeof screenOf) => questions.filter(screenOf[name]).map(({ id }) => id);
  return { level: ids("level"), signedUp: ids("signedUp"), offers: ids("offers"), checkout: ids("checkout") };
}

/** Whether a visitor reached a milestone. */
export function reached(
  milestone: Milestone,
  { journey, bought }: { readonly journey: Journey; readonly bought: boolean },
  screens: MilestoneScreens,
): boolean {
  if (milestone === "visitors") return true;
  if (milestone === "began") return journey.lastAnswer > 0;
  if (milestone === "purchases") return bought;
  return screens[milestone].some((id) => journey.steps.has(id));
}
