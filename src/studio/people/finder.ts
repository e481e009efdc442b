import { call } from "../client.ts";
import type { Finder } from "../shell/commands.ts";

const shown = 6;

/** Finds people in the command palette (Ctrl K). */
export const personFinder: Finder = {
  group: "People",
  find: async (text, signal) => {
    if (text.trim().length < 2) return [];
    const { rows } = await call("people", { q: text.trim() }, { signal });
    return rows.slice(0, shown).map(({ uuid, email, firstname }) => ({
      id: `person ${uuid}`,
      title: firstname ?? email,
      hint: email,
      // The router listens to the history.
      run: () => history.pushState(null, "", `/studio/people/${uuid}`),
    }));
  },
};
