/** Progress never steps back on a way forward. */
import { type Exploration, leadsToNew } from "../explore.ts";
import { progressPercent } from "../progress.ts";
import { at, type Reporter } from "./findings.ts";

const noticeablePercent = 0.5;

export function checkProgress({ compiled, situations }: Exploration, report: Reporter): void {
  // An end that does not exist is told of itself (`specialQuestions.ts`).
  if (compiled.nodes[compiled.definition.progress.end] === undefined) return;
  for (const situation of situations) {
    const id = situation.state.currentQuestionId;
    for (const way of situation.ways) {
      if (!leadsToNew(way, way.before)) continue;
      const back = progressPercent(compiled, id) - progressPercent(compiled, way.next);
      if (back > noticeablePercent)
        report.note(
          "progressStepsBack",
          `From question ${id} to ${way.next} progress would step back by ${back.toFixed(1)} percent; the bar holds its place.`,
          at(situation, id, way.before),
        );
    }
  }
}
