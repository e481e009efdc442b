/** What to do when a module does not come: the page may be of a build that is gone (spec 000 §8, "route module load failure"). */
import { loadAnew } from "./navigation.ts";

/**
 * Asks the server for the page anew, once for each place: the new page has the modules of the new build. `away` when the server does not
 * answer, so that a page that still stands is not given away for the browser's error page; `tried` when it was asked for before.
 */
export async function leaveOlderBuild(): Promise<"away" | "leaving" | "tried"> {
  const answered = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => status < 500,
    () => false,
  );
  if (!answered) return "away";
  if (history.state?.anew === true) return "tried";
  history.replaceState({ ...history.state, anew: true }, "");
  loadAnew();
  return "leaving";
}

/** A module that nothing goes on without. The promise fails as before: who waits says that there is no connection, and the page leaves. */
export function importOrReload<Module>(module: Promise<Module>): Promise<Module> {
  module.catch(() => leaveOlderBuild());
  return module;
}
