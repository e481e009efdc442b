/** Statistics about the length of a version. */
import { type Exploration, visitorOf } from "../explore.ts";

export interface Statistics {
  readonly screens: number;
  /** Number of questions with more than one possible next question, level questions aside. */
  readonly branches: number;
  /** Screens from the first one to the end of progress; null when no path reaches the end. */
  readonly shortest: number | null;
  readonly longest: number | null;
  /** Expected length with every option equally likely. */
  readonly expected: number | null;
  readonly situations: number;
  readonly contexts: number;
}

export function statisticsOf({ compiled, situations, contexts }: Exploration): Statistics {
  const { end } = compiled.definition.progress;
  const nextOf = new Map<number, Set<number>>();
  for (const { node, state, ways } of situations) {
    if (visitorOf(state) !== "new" || node.isLevel) continue;
    for (const { next, option } of ways) {
      if (typeof next !== "number" || option.type === "ToPrevious") continue;
      nextOf.set(state.currentQuestionId, (nextOf.get(state.currentQuestionId) ?? new Set()).add(next));
    }
  }
  // Home and errors are no situations, so no way leads on from them.
  const forward = (index: number) =>
    (situations[index]?.ways ?? []).filter((way) => !way.before.visitedQuestionIds.some((id) => id === way.next));
  type Length = Readonly<Record<"shortest" | "longest" | "expected", number>>;
  const measured = new Map<number, Length>();
  const none = { shortest: Number.POSITIVE_INFINITY, longest: 0, expected: 0 };
  const measure = (index: number): Length => {
    const known = measured.get(index);
    if (known !== undefined) return known;
    measured.set(index, none);
    const arrived = situations[index]?.state.currentQuestionId === end;
    const rests = arrived ? [{ shortest: 0, longest: 0, expected: 0 }] : forward(index).map((way) => measure(way.to));
    const ways = rests.filter((rest) => Number.isFinite(rest.shortest));
    if (ways.length === 0) return none;
    const result = {
      shortest: 1 + Math.min(...ways.map((way) => way.shortest)),
      longest: 1 + Math.max(...ways.map((way) => way.longest)),
      expected: 1 + ways.reduce((sum, way) => sum + way.expected, 0) / ways.length,
    };
    measured.set(index, result);
    return result;
  };
  const starts = situations
    .flatMap(({ state }, index) => (state.visitedQuestionIds.length === 0 && !state.signupDone ? [measure(index)] : []))
    .filter(({ shortest }) => Number.isFinite(shortest));
  const ends = starts.length > 0;
  return {
    screens: compiled.definition.questions.length,
    branches: [...nextOf.values()].filter((next) => next.size > 1).length,
    shortest: ends ? Math.min(...starts.map((start) => start.shortest)) : null,
    longest: ends ? Math.max(...starts.map((start) => start.longest)) : null,
    expected: ends ? starts.reduce((sum, start) => sum + start.expected, 0) / starts.length : null,
    situations: situations.length,
    contexts: contexts.length,
  };
}
