/** Handles a module that does not load: a deployment may have removed it (spec 000 §8, "route module load failure"). */
import { reloadPage } from "./navigation.ts";

/**
 * Reloads the page, once for each address: the new page names the modules of the new build.
 *
 * @returns `serverDown`: the server does not answer, so the page is not reloaded: the visitor would see the browser's error page.
 *   `reloading`: the reload has begun. `reloadedBefore`: this address was reloaded before.
 */
export async function reloadForNewBuild(): Promise<"serverDown" | "reloading" | "reloadedBefore"> {
  const answered = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => status < 500,
    () => false,
  );
  if (!answered) return "serverDown";
  if (history.state?.anew === true) return "reloadedBefore";
  history.replaceState({ ...history.state, anew: true }, "");
  reloadPage();
  return "reloading";
}

/** Reloads the page if a required module does not load. The promise still rejects, so that the caller can show the problem. */
export function importOrReload<Module>(module: Promise<Module>): Promise<Module> {
  module.catch(() => reloadForNewBuild());
  return module;
}
