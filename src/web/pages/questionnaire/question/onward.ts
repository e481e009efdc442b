/** Questions that a visitor is led past: their contents need what is not there yet, or was bought already. */
import { buildPath } from "#core/routes.ts";
import { questionPath } from "../../../navigation.ts";
import type { WebSite } from "../../../siteContext.tsx";

/** What the contents of a question need of the visitor. */
export interface Needs {
  readonly pays: boolean;
  readonly usesSchedule: boolean;
  readonly signedIn: boolean;
}

/** Where a question only leads on to. */
export function wayOnward(
  { locale, session: { compiled, snapshot }, services }: WebSite,
  { pays, usesSchedule, signedIn }: Needs,
): string | null {
  const { definition, nodes } = compiled;
  // Opened from its middle: a plan is made from a rhythm, so that is asked first (decision 061).
  const rhythm = definition.questions.find(({ id }) => nodes[id]?.choosesSchedule);
  if (snapshot().state.schedule === undefined && rhythm !== undefined && usesSchedule)
    return questionPath(locale, definition.id, rhythm.id);
  // Who comes back to the plans after paying is not asked to pay again.
  const paid = pays && signedIn && services.store.get("paymentStatus") === "completed";
  return paid ? buildPath("questionnaire/thank-you", locale, { version: definition.id }) : null;
}
