/** Redirects from questions that need something the visitor lacks, or that sell something already bought. */
import { buildPath } from "#core/routes.ts";
import { questionPath } from "../../../navigation.ts";
import type { WebSite } from "../../../siteContext.tsx";

/** Requirements of a question's contents. */
export interface Needs {
  readonly pays: boolean;
  readonly usesSchedule: boolean;
  readonly signedIn: boolean;
}

/** The address that the question redirects to, or null. */
export function questionRedirect(
  { locale, session: { compiled, snapshot }, services }: WebSite,
  { pays, usesSchedule, signedIn }: Needs,
): string | null {
  const { definition, nodes } = compiled;
  // The visitor entered in the middle of the funnel. A plan needs a schedule, so that question comes first (decision 061).
  const scheduleQuestion = definition.questions.find(({ id }) => nodes[id]?.choosesSchedule);
  if (snapshot().state.schedule === undefined && scheduleQuestion !== undefined && usesSchedule)
    return questionPath(locale, definition.id, scheduleQuestion.id);
  // A visitor who has paid and returns to the plans must not pay again.
  const paid = pays && signedIn && services.store.get("paymentStatus") === "completed";
  return paid ? buildPath("questionnaire/thank-you", locale, { version: definition.id }) : null;
}
