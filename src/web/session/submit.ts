/** Submits an answer: validation, sign-up and login (spec 001 §4, "Submit flow on choosing an option"). */
import { appVersion } from "#core/appVersion.ts";
import * as codes from "#core/errorCodes.ts";
import type { SignupFields } from "#blocks/block.ts";
import { traitsOf } from "#content/questionnaires/known.ts";
import type { AddressedRoute } from "#core/routes.ts";
import { type CompiledQuestionnaire, isWayBack, optionOf } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { visibleContents } from "#core/questionnaire/requirements.ts";
import type { State, StateUser } from "#core/questionnaire/state.ts";
import { asTyped, fieldError } from "#core/validation.ts";
import type { Api } from "../api/client.ts";
import { repeating } from "../api/repeat.ts";
import { ApiError, ConnectionError, isSessionOver } from "../api/request.ts";
import { fetchConfig, knownVersion } from "./config.ts";
import { sendMarketingConsent } from "./marketingConsent.ts";
import { saveSession } from "../device/cachedConfig.ts";
import { isSignedIn, type KeyValueStore, purchaseKeys, replacedSession } from "../device/storage.ts";

type FieldErrors = Partial<Record<keyof SignupFields, string>>;

/** Why a submission failed. The text key is `problem.<name>`. */
export type Problem = "connection" | "tooMany" | "unexpected";

export type SubmitOutcome =
  | "answered"
  | { readonly errors: FieldErrors }
  /** A page to go to. `error` stops the submission (spec 001 §8): it is reported in the specification's words, the page says it kindly. */
  | {
      readonly route: AddressedRoute;
      readonly query?: Readonly<Record<string, string>>;
      /** The page's version; by default the questionnaire's. */
      readonly version?: string;
      readonly error?: Error;
      /** It is not known whether the address has an account. */
      readonly taken?: false;
      /** The question that asks for another address. */
      readonly emailQuestion?: number | undefined;
    }
  | { readonly questionId: number };

export interface Answering {
  readonly compiled: CompiledQuestionnaire;
  readonly questionId: number;
  readonly optionId: number;
  readonly state: State;
  readonly context: Context;
  readonly fields: SignupFields;
}

export interface SubmitParts {
  readonly api: Api;
  readonly store: KeyValueStore;
  readonly setUser: (user: Partial<StateUser>) => void;
  readonly signedUp: (uuid: string) => Promise<void>;
}

/** Callbacks for the result of a submission. */
interface AnswerParts extends SubmitParts {
  readonly answered: () => void;
  readonly set: (change: { readonly errors?: FieldErrors; readonly problem?: Problem; readonly busy?: false }) => void;
  readonly report: (error: unknown) => void;
  readonly leaveTo: (outcome: Exclude<SubmitOutcome, "answered">) => void;
}

/** Submits an answer, then accepts it, shows field errors or goes to another page. */
export async function takeAnswer(answering: Answering, parts: AnswerParts): Promise<void> {
  let stopped: Error | undefined;
  try {
    const outcome = await submitAnswer(answering, parts);
    if (outcome === "answered") parts.answered();
    else if ("errors" in outcome) parts.set({ errors: outcome.errors });
    else {
      if ("route" in outcome) stopped = outcome.error;
      // Reported before leaving: the page may be gone before a thrown error is handled.
      if (stopped !== undefined) parts.report(stopped);
      parts.leaveTo("route" in outcome ? { ...outcome, emailQuestion: emailQuestionId(answering.compiled) } : outcome);
    }
  } catch (error) {
    if (isSessionOver(error)) return;
    const problem = problemOf(error);
    parts.set({ problem });
    if (problem === "unexpected") throw error;
  } finally {
    parts.set({ busy: false });
  }
  if (stopped !== undefined) throw stopped;
}

function problemOf(error: unknown): Problem {
  if (error instanceof ConnectionError) return "connection";
  return error instanceof ApiError && error.code === codes.tooMany ? "tooMany" : "unexpected";
}

/** Sends the question's fields to the API, repeating calls of a busy server. Throws the API's errors, which `problemOf` classifies. */
export async function submitAnswer(answering: Answering, once: SubmitParts): Promise<SubmitOutcome> {
  const parts = { ...once, api: repeating(once.api) };
  const { compiled, questionId, optionId, state, context } = answering;
  const question = compiled.question(questionId);
  const option = question && optionOf(question, optionId);
  if (!question || !option || isWayBack(option)) return "answered";

  const types = new Set(visibleContents(compiled, question, state, context).map((content) => content.type));
  const errors = fieldErrors(types, answering.fields);
  if (errors !== null) return { errors };
  if (types.has("signupEmail")) {
    const refused = await checkEmail(answering, parts);
    if (refused !== null) return refused;
  }
  if (types.has("signupPassword") && !state.signupDone) {
    const refused = await signUp(answering, parts, types.has("signupEmail"));
    if (refused !== null) return refused;
  }
  if (types.has("signupName")) {
    const firstname = asTyped(answering.fields.firstname);
    // Stored first: if the session has ended, the call leads to the login, and the name is still there afterwards.
    parts.store.set("signupName", firstname);
    if (isSignedIn(parts.store)) await parts.api.call("updateName", { body: { firstname } });
    parts.setUser({ firstname });
  }
  if (types.has("signupMarketingConsent") && (option.type === "Yes" || option.type === "No")) {
    // Sent once, not repeated: nobody waits for this call.
    if (isSignedIn(parts.store) || state.signupDone) await sendMarketingConsent(once, option.type === "Yes");
  }
  return "answered";
}

/** The field errors after validating this field again. */
export function validateField(
  field: keyof SignupFields,
  { fields, errors }: { readonly fields: SignupFields; readonly errors: FieldErrors },
): FieldErrors {
  const { [field]: _, ...others } = errors;
  const error = fieldError(field, fields[field]);
  return error === null ? others : { ...others, [field]: error };
}

const fieldBlocks = { signupEmail: "email", signupPassword: "password", signupName: "firstname" } as const;

function fieldErrors(types: ReadonlySet<string>, fields: SignupFields): FieldErrors | null {
  const errors: FieldErrors = {};
  for (const [type, field] of Object.entries(fieldBlocks)) {
    const error = types.has(type) ? fieldError(field, fields[field]) : null;
    if (error !== null) errors[field] = error;
  }
  return Object.keys(errors).length > 0 ? errors : null;
}

async function checkEmail({ compiled, fields, state }: Answering, { api, store, setUser }: SubmitParts): Promise<SubmitOutcome | null> {
  const email = fields.email.trim();
  store.set("signupEmail", email);
  // After sign-up the address is the visitor's own, so it is not checked again.
  if (!traitsOf(compiled.definition.id).skipsEmailCheck && !state.signupDone) {
    try {
      await api.call("checkEmail", { body: { email } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === codes.tooMany || error.status >= 500) throw error;
      if (error.code === codes.invalidInput) return { errors: { email: error.fields["email"] ?? "validator_invalid_email" } };
      // "If the check fails, go to login-with-password" (spec 001 §4).
      return error.code === codes.emailTaken ? { route: "questionnaire/user" } : { route: "questionnaire/user", taken: false, error };
    }
  }
  if (state.signupDone && email.toLowerCase() !== state.user.email?.toLowerCase() && isSignedIn(store)) {
    // The visitor corrected the address after sign-up. The account must take it over, or mails would go to the wrong one.
    const keep = () => state.user.email !== undefined && store.set("signupEmail", state.user.email);
    try {
      const { pending } = await api.call("updateEmail", { body: { email } });
      // The old address stays in use until the new one is confirmed.
      if (pending) {
        keep();
        return null;
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === codes.emailTaken) return { route: "questionnaire/email-exists" };
      // Changing a confirmed address needs the password, which that page asks for.
      if (error.fields["password"] !== undefined) {
        keep();
        return { route: "questionnaire/update-email" };
      }
      if (error.code === codes.invalidInput) return { errors: { email: error.fields["email"] ?? "validator_invalid_email" } };
      throw error;
    }
  }
  setUser({ email });
  return null;
}

async function signUp(
  { compiled, state, context, fields }: Answering,
  { api, store, setUser, signedUp }: SubmitParts,
  /** Whether this screen asks for the address, too. Then the typed one counts, because the state may still have that of an earlier try. */
  asksEmail: boolean,
): Promise<SubmitOutcome | null> {
  const typed = fields.email.trim() || null;
  const email = asksEmail ? typed : (state.user.email ?? typed);
  if (email === null) return emailQuestion(compiled);
  const version = compiled.definition.id;
  const register = (uuid: string) =>
    api.call("signup", {
      body: {
        uuid,
        email,
        password: fields.password,
        uiLanguage: context.locale,
        questionnaire: version,
        version: `v${appVersion}`,
        ...(state.user.firstname ? { firstname: state.user.firstname } : {}),
      },
    });
  // A configuration that is refused says nothing about the sign-up: its error is not one of these refusals.
  let uuid = state.user.uuid ?? (await fetchConfig(api, store, { locale: context.locale })).uuid;
  let refused = await refusalOf(register(uuid));
  if (refused?.code === codes.uuidTaken) {
    // The uuid belongs to another account: retry once with a fresh one (spec 001 §8).
    ({ uuid } = await fetchConfig(api, store, { locale: context.locale, fresh: true }));
    // Kept: if the answer is lost, the next try must name the same account.
    setUser({ uuid });
    refused = await refusalOf(register(uuid));
  }
  if (refused !== null) {
    if (refused.code === codes.tooMany || refused.status >= 500) throw refused;
    if (refused.code === codes.invalidInput && refused.fields["password"] !== undefined)
      return { errors: { password: refused.fields["password"] } };
    if (refused.code !== codes.emailTaken) return stopAtAccountExists("Signup failed!", refused);
  }
  // An earlier try may have succeeded without its response arriving. Then this password logs in.
  const taken = refused !== null;
  let session;
  try {
    session = await api.call("login", { body: { email, password: fields.password, ...replacedSession(store) } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === codes.tooMany || error.status >= 500) throw error;
    if (taken && traitsOf(version).existingAccountGoesToReactivate) return reactivate(compiled);
    return stopAtAccountExists(taken ? "Signup failed!" : "Login failed!", error);
  }
  saveSession(store, session);
  // Another uuid means that the account existed before. The same uuid means that an earlier response to this sign-up was lost.
  // The page of the account's own version has the account's answers.
  if (taken && session.user.uuid !== uuid && traitsOf(version).existingAccountGoesToReactivate)
    return { ...reactivate(compiled), version: knownVersion(session.features.questionnaire.version, context.locale) };
  // Clears what the device has stored about another account's purchase: it would hide the offer from this account.
  const others = session.user.uuid === state.user.uuid ? [] : purchaseKeys;
  for (const key of [...others, "questionnaireTarget", "discount"] as const) store.remove(key);
  // Another address may have been typed since the question for it.
  store.set("signupEmail", session.user.email);
  setUser({ email, uiLanguage: context.locale });
  store.set("marketingConsentDue", "true");
  await signedUp(session.user.uuid);
  return null;
}

/** Why the server refuses a call; null if it does not. Throws any other error. */
async function refusalOf(call: Promise<unknown>): Promise<ApiError | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Goes to the reactivation page with the questionnaire's coupon. */
function reactivate({ definition: { coupon } }: CompiledQuestionnaire) {
  return { route: "questionnaire/reactivate", ...(coupon === undefined ? {} : { query: { discount: coupon.code } }) } as const;
}

/** Stops with the specification's error message (001 §8). */
function stopAtAccountExists(message: "Signup failed!" | "Login failed!", cause: ApiError): SubmitOutcome {
  return { route: "login/account-exists", error: new Error(message, { cause }) };
}

function emailQuestion(compiled: CompiledQuestionnaire): SubmitOutcome {
  return { questionId: emailQuestionId(compiled) ?? compiled.definition.initialQuestion };
}

function emailQuestionId({ definition }: CompiledQuestionnaire): number | undefined {
  return definition.questions.find(({ contents }) => contents.some(({ type }) => type === "signupEmail"))?.id;
}
