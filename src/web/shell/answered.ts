/** Whether the visitor has chosen an option since the session started. Answers that a login, a tab or a device takes over are not chosen here. */
import type { State } from "#core/questionnaire/state.ts";

export interface Answered {
  readonly subscribe: (changed: () => void) => () => void;
  readonly snapshot: () => boolean;
}

interface WatchedAnswers extends Answered {
  /** To be called with the state before and after each action of the visitor. */
  readonly moved: (before: State, after: State) => void;
}

/**
 * `atStart`: the answers when the session started, with those of the page's link, which somebody else may have chosen; null if the visitor came from a page of
 * ours: they chose the link's answers by a tap before the script had loaded.
 */
export function watchAnswers(atStart: State["selectedOptions"] | null): WatchedAnswers {
  const listeners = new Set<() => void>();
  let answered = false;
  return {
    // Not `listeners.ts`: an export of the first page's scripts would make that page larger.
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    snapshot: () => answered,
    moved({ selectedOptions: before }, { selectedOptions: after }) {
      if (after === before || after === atStart) return;
      answered = true;
      for (const changed of listeners) changed();
    },
  };
}
