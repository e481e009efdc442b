/** Progress never decreases on the way forward. */
import { type Exploration, leadsToNew, type Situation } from "../explore.ts";
import { progressPercent } from "../progress.ts";
import { at, type Reporter } from "./findings.ts";

const noticeablePercent = 0.5;

export function checkProgress({ compiled, situations }: Exploration, firstAt: ReadonlyMap<number, Situation>, report: Reporter): void {
  const { end } = compiled.definition.progress;
  // `specialQuestions.ts` reports an end that does not exist.
  if (compiled.nodes[end] === undefined) return;
  const percents = [...firstAt.keys()].filter((id) => id !== end).map((id) => progressPercent(compiled, id));
  if (firstAt.has(end) && percents.length > 1 && new Set(percents).size === 1)
    report.fault("progressStandsStill", `Progress stands at ${percents[0]} percent all along: the questions on the way weigh nothing.`);
  for (const situation of situations) {
    const id = situation.state.currentQuestionId;
    for (const way of situation.ways) {
      if (!leadsToNew(way, way.before)) continue;
      const back = progressPercent(compiled, id) - progressPercent(compiled, way.next);
      if (back > noticeablePercent)
        report.note(
          "progressStepsBack",
          `From question ${id} to ${way.next} progress would decrease by ${back.toFixed(1)} percent; the bar does not move.`,
          {
            ...at(situation, id, way.before),
            joins: {
              topic: "Progress would decrease, and the bar does not move",
              what: `from question ${id} to ${way.next} by ${back.toFixed(1)} percent`,
            },
          },
        );
    }
  }
}
