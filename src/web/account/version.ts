/** Where a visitor is in the questions, for pages whose address names no version: they are served with the language's default. */
import { isVersionName } from "#content/questionnaires/known.ts";
import { buildPath } from "#core/routes.ts";
import { addressTaken, lastStep, questionPath } from "../navigation.ts";
import { readState } from "../device/keptState.ts";
import { emailQuestionId } from "../session/submit.ts";
import { useSession, useSite } from "../siteContext.tsx";

/** The version that the visitor is in; the page's own where the device has kept none. */
export function useOwnVersion(): string {
  const { session, services } = useSite();
  const { live } = useSession();
  const kept = live ? services.store.get("questionnaireVersion") : null;
  return kept !== null && isVersionName(kept) ? kept : session.compiled.definition.id;
}

/** Where the questions of that version begin. */
export function useQuestionsStart(): string {
  const { locale, session } = useSite();
  const version = useOwnVersion();
  const { id, initialQuestion } = session.compiled.definition;
  // Another version's root knows its own first question.
  return version === id ? questionPath(locale, id, initialQuestion) : buildPath("questionnaire/root", locale, { version });
}

/** The question where the visitor is, of that version. */
export function useOwnPlace(): string {
  const { locale, session, services } = useSite();
  const { live, state } = useSession();
  const kept = live ? readState(services.store) : null;
  return kept !== null && isVersionName(kept.id)
    ? questionPath(locale, kept.id, kept.currentQuestionId)
    : questionPath(locale, session.compiled.definition.id, state.currentQuestionId);
}

/** The question that asks for the address, for who was signing up with one that has an account; null for everybody else. */
export function useAddressQuestion(): string | null {
  const { locale, session } = useSite();
  const { state, live } = useSession();
  if (!live || state.signupDone || lastStep().problem !== addressTaken) return null;
  const question = emailQuestionId(session.compiled);
  return question === undefined ? null : questionPath(locale, session.compiled.definition.id, question);
}
