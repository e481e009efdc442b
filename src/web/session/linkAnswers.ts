/** Answers in the link that opened the page. */
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { TrackEffect } from "#core/questionnaire/effect.ts";
import type { State } from "#core/questionnaire/state.ts";
import { type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import type { PageEvent } from "./event.ts";

/**
 * Replays a link's answers on top of the stored ones, because they are the visitor's latest. Repeating a stored answer changes nothing, so
 * a link into the middle of the stored history keeps all of it.
 */
export function mergeLinkAnswers(compiled: CompiledQuestionnaire, kept: State, linked: State, context: Context): State {
  if (encodeAnswers(linked) === "" || kept.signupDone) return kept;
  if (kept.selectedOptions.length === 0) return { ...linked, user: kept.user };
  // Schedule and days come first: choosing them after the answers would lead back to their questions.
  const choices: QuestionnaireEvent[] = [
    ...(linked.schedule === undefined ? [] : [{ type: "chooseSchedule", scheduleId: linked.schedule } as const]),
    ...(linked.days.length === 0 ? [] : [{ type: "chooseDays", days: linked.days } as const]),
    ...linked.selectedOptions.map((selected): QuestionnaireEvent => ({ type: "answer", ...selected })),
  ];
  return choices.reduce((state, event) => step(compiled, state, event, context).state, kept);
}

/** The events for a link's new answers: without scripts, nothing counted that each question was shown and answered. */
export function linkEvents(compiled: CompiledQuestionnaire, kept: State, linked: State, context: Context): readonly PageEvent[] {
  const isKept = ({ questionId, optionId }: State["selectedOptions"][number]) =>
    kept.selectedOptions.some((known) => known.questionId === questionId && known.optionId === optionId);
  const answered = linked.selectedOptions
    .filter((selected) => !isKept(selected))
    .flatMap(({ questionId, optionId }) => {
      const { track, extraTrack } = compiled.nodes[questionId]?.answers[optionId] ?? {};
      const shown: PageEvent = { eventType: "QuestionnaireQuestionShown", payload: { questionId } };
      return [shown, ...[track, extraTrack].flatMap((effect) => (effect === undefined ? [] : [pageEvent(effect)]))];
    });
  if (linked.schedule === undefined) return answered;
  const before = { ...linked, schedule: kept.schedule };
  const { effects } = step(compiled, before, { type: "chooseSchedule", scheduleId: linked.schedule }, context);
  return [...answered, ...effects.flatMap((effect) => (effect.type === "track" ? [pageEvent(effect)] : []))];
}

export function pageEvent({ event, payload }: TrackEffect): PageEvent {
  return { eventType: event, payload };
}
