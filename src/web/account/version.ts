/** The visitor's version and question, for pages whose address names no version. The server renders those with the locale's default. */
import { isVersionName } from "#content/questionnaires/known.ts";
import type { SubscriptionView } from "#core/api.ts";
import { buildPath } from "#core/routes.ts";
import { addressTaken, lastStep, questionPath } from "../navigation.ts";
import { readState } from "../device/readState.ts";
import { isSignedIn } from "../device/storage.ts";
import { storedVersion } from "../device/storedVersion.ts";
import { useReasonInLanguages } from "./reason.ts";
import { useSession, useSite } from "../siteContext.tsx";

/** The visitor's stored version, or null. */
function useStoredVersion(): string | null {
  const { services } = useSite();
  const { live } = useSession();
  return live ? storedVersion(services.store) : null;
}

/** The visitor's stored version, else the page's. */
export function useOwnVersion(): string {
  const { session } = useSite();
  return useStoredVersion() ?? session.compiled.definition.id;
}

/** The version that the plan's account uses, since another may be open on this device; the visitor's if the plan names none that is known. */
export function useAccountVersion({ version }: Pick<SubscriptionView, "version">): string {
  const own = useOwnVersion();
  return version !== undefined && isVersionName(version) ? version : own;
}

/** The path of the first question in the visitor's version. Without one, the raffle's, which draws it. */
export function useQuestionsStart(): string {
  const { locale, session } = useSite();
  const version = useStoredVersion();
  const { id, initialQuestion } = session.compiled.definition;
  if (version === null) return buildPath("questionnaire/raffle", locale);
  // Only that version's own page knows its first question, so its root is used.
  return version === id ? questionPath(locale, id, initialQuestion) : buildPath("questionnaire/root", locale, { version });
}

/** The path at which a new account begins. Where the device has an account, the questions would skip the sign-up: starting over leaves that account. */
export function useSignupStart(): string {
  const { locale, services } = useSite();
  const { live } = useSession();
  const start = useQuestionsStart();
  const hasAccount = live && (isSignedIn(services.store) || readState(services.store)?.signupDone === true);
  return hasAccount ? buildPath("home-redirect", locale) : start;
}

/** The path of the visitor's current question, in their version. */
export function useOwnQuestion(): string {
  const { locale, services } = useSite();
  const { live } = useSession();
  const start = useQuestionsStart();
  const kept = live ? readState(services.store) : null;
  const hasBegun = kept !== null && isVersionName(kept.id) && (kept.selectedOptions.length > 0 || kept.signupDone);
  return hasBegun ? questionPath(locale, kept.id, kept.currentQuestionId) : start;
}

/** The path of the e-mail question, for a visitor whose sign-up address already has an account; else null. */
export function useAddressQuestion(): string | null {
  const { locale } = useSite();
  const { state, live } = useSession();
  useReasonInLanguages(locale);
  if (!live || state.signupDone) return null;
  const { problem, emailQuestion } = lastStep();
  return problem === addressTaken ? emailQuestion : null;
}
