import type { ContentItem } from "../definition.ts";
import type { Exploration } from "../explore.ts";
import { visibleContents } from "../requirements.ts";
import { at, type Reporter } from "./findings.ts";

/** Checks that each screen shows exactly one heading: screen readers announce it first, and it names the page. */
export function checkHeadings({ compiled, situations }: Exploration, isHeading: (content: ContentItem) => boolean, report: Reporter): void {
  for (const situation of situations) {
    const { node, state, ready, context } = situation;
    const { question } = node;
    for (const seen of new Set([state, ...ready])) {
      const headings = visibleContents(compiled, question, seen, context).filter(isHeading).length;
      if (headings === 1) continue;
      const shown = headings === 0 ? "no heading" : `${headings} headings`;
      report.fault("notOneHeading", `Question ${question.id} shows ${shown}.`, at(situation, question.id, seen));
    }
  }
}
