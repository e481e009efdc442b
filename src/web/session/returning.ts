/** What only a returning visitor's browser does before hydration. Loads when a state is stored. */
import { isVersionName, traitsOf } from "#content/questionnaires/known.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { QuestionnaireError } from "#core/questionnaire/error.ts";
import { visibleOptions } from "#core/questionnaire/requirements.ts";
import type { State } from "#core/questionnaire/state.ts";
import { step } from "#core/questionnaire/step.ts";
import { releaseParameter } from "#core/release.ts";
import { buildPath, matchPath } from "#core/routes.ts";
import { withQuery } from "#core/withQuery.ts";
import { readDevice } from "../device/device.ts";
import { readState } from "../device/readState.ts";
import type { KeyValueStore } from "../device/storage.ts";
import { asRelease, cameByRedirect, lastStep, questionPath } from "../navigation.ts";
import { contextOf } from "./deviceContext.ts";
import type { Snapshot } from "./session.ts";
import { staysOnRelease } from "./staying.ts";

export { readState };

interface ServedPage {
  readonly compiled: CompiledQuestionnaire;
  readonly release: string;
  readonly rendered: Snapshot;
}

/** A link's answers; none if it carries anything else. */
function answersIn(address: URL): State["selectedOptions"] {
  const code = address.searchParams.get("a") ?? "";
  if (!/^\d{1,4}\.\d{1,4}(?:~\d{1,4}\.\d{1,4}){0,99}$/.test(code)) return [];
  return code.split("~").map((answer) => {
    const [questionId, optionId] = answer.split(".");
    return { questionId: Number(questionId), optionId: Number(optionId) };
  });
}

/** How the visitor came to the page. */
interface Way {
  /** The path of the page before; null if it is not ours. */
  readonly from: string | null;
  /** By a redirect, as from a version's root. */
  readonly redirected: boolean;
}

/**
 * The address to load instead of this one; null for none. The visitor has followed a link of the embedded question before the home page's
 * script had loaded. The server gives everybody the same links, but a visitor who has begun continues where they were, and an answer counts
 * in their version (decision 007).
 */
export function begunAddress(
  { compiled: { definition }, rendered }: Pick<ServedPage, "compiled" | "rendered">,
  state: State | null,
  store: KeyValueStore,
  address: URL,
  { from, redirected }: Way,
): string | null {
  const [given, ...others] = answersIn(address);
  if (given?.questionId !== definition.embeddedQuestion || others.length > 0 || state === null || !hasBegun(state)) return null;
  const { locale } = rendered.context;
  const isOther = state.id !== definition.id;
  const query = new URLSearchParams(address.search);
  const onward = () => {
    query.delete("a");
    const isCustomer = store.get("paymentStatus") === "completed";
    const path = isCustomer ? buildPath("handle-your-subscription", locale) : questionPath(locale, state.id, state.currentQuestionId);
    return withQuery(path, query);
  };
  // A link to the question itself fills in the first option, which nobody has chosen. A root's link has a chosen one.
  if (!redirected && address.pathname === questionPath(locale, definition.id, given.questionId)) {
    const isAllTheyAnswered = state.selectedOptions.length === 1 && state.selectedOptions[0]?.optionId === given.optionId;
    return !isOther && !state.signupDone && isAllTheyAnswered ? null : onward();
  }
  if (!isHome(from)) return null;
  if (isOther) return withQuery(buildPath("questionnaire/root", locale, { version: state.id }), query);
  return state.signupDone && state.selectedOptions.length > 0 ? onward() : null;
}

/** Whether there are answers, or an account, in a version of this site. */
function hasBegun({ id, selectedOptions, signupDone }: State): boolean {
  return (selectedOptions.length > 0 || signupDone) && isVersionName(id) && traitsOf(id).externalSite === null;
}

function isHome(path: string | null): boolean {
  const match = path === null ? null : matchPath(path);
  return match?.kind === "root" || (match?.kind === "page" && match.route === "home");
}

/**
 * The answers of this visitor's taps on pages whose script had not loaded yet. The link alone does not lead to them, because the server did not know the
 * visitor's earlier answers.
 */
export function laterAnswers(
  { compiled, rendered }: Pick<ServedPage, "compiled" | "rendered">,
  stored: State | null,
  store: KeyValueStore,
  address: URL,
): State["selectedOptions"] {
  const given = answersIn(address);
  if (stored === null || stored.id !== compiled.definition.id) return [];
  // Several that follow from the link alone are a link's answers (`linkAnswers.ts`).
  if (given.length > 1 && rendered.state.selectedOptions.length > 0) return [];
  const context = contextOf(rendered, readDevice(store) ?? {});
  const taken: State["selectedOptions"][number][] = [];
  let state: State | null = stored;
  for (const answer of given) {
    state = afterTap(compiled, state, answer, context);
    if (state === null) break;
    taken.push(answer);
  }
  return taken;
}

/** The state after a tap; null if the visitor could not have made it. */
function afterTap(compiled: CompiledQuestionnaire, state: State, given: State["selectedOptions"][number], context: Context): State | null {
  const { questionId, optionId } = given;
  const question = compiled.question(questionId);
  const isHere = questionId === state.currentQuestionId || (!state.signupDone && state.visitedQuestionIds.includes(questionId));
  if (question === undefined || !isHere || !visibleOptions(compiled, question, state, context).some(({ id }) => id === optionId))
    return null;
  try {
    return step(compiled, state, { type: "answer", ...given }, context).state;
  } catch (error) {
    if (error instanceof QuestionnaireError) return null;
    throw error;
  }
}

/** The address to load instead of this one; null for none. */
export function otherAddress(page: ServedPage, state: State | null, store: KeyValueStore, address: URL): string | null {
  const cameFrom = document.referrer === "" ? null : new URL(document.referrer);
  const from = lastStep().from ?? (cameFrom?.origin === address.origin ? cameFrom.pathname : null);
  const way = { from, redirected: cameByRedirect() };
  return begunAddress(page, state, store, address, way) ?? ownReleaseAddress(page, state, store, address);
}

/**
 * The current page's address in the release that the visitor began on (decision 195); null if the served release is the right one. If the address
 * already asks for a release and gets another, the server no longer has it, and the served release takes over. If the served one lacks the visitor's
 * current question, the result is the address that leads to where their answers end in it.
 */
export function ownReleaseAddress(
  { compiled, release, rendered }: ServedPage,
  state: State | null,
  store: KeyValueStore,
  address: URL,
): string | null {
  if (state === null) return null;
  const path = address.pathname + address.search;
  const missing = state.release !== undefined && isMissing(compiled, state, address) ? state.release : null;
  if (address.searchParams.has(releaseParameter)) {
    const { locale } = rendered.context;
    if (missing === null || address.pathname !== questionPath(locale, state.id, state.currentQuestionId)) return null;
    const root = buildPath("questionnaire/root", locale, { version: state.id });
    return asRelease(`${root}?a=${encodeAnswers(state)}`, missing);
  }
  if (missing !== null) return asRelease(path, missing);
  const context = contextOf(rendered, readDevice(store) ?? {});
  return staysOnRelease({ compiled, release, context }, state) ? asRelease(path, state.release) : null;
}

/** Whether the address names a question of the visitor's version that the served release lacks. The visitor's own release may have it. */
function isMissing({ definition, question }: CompiledQuestionnaire, { id }: State, { pathname }: URL): boolean {
  const opened = matchPath(pathname);
  if (opened.kind !== "page" || opened.route !== "questionnaire/question" || opened.params.version !== id || !isVersionName(id))
    return false;
  // The page that says so has the language's default version.
  return definition.id !== id || question(Number(opened.params.question)) === undefined;
}
