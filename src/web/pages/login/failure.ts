/** Where a failed login goes (spec 001 §8). */
import { buildPath } from "#core/routes.ts";
import { useEffect } from "react";
import { showPage } from "../../navigation.ts";
import type { WebSite } from "../../siteContext.tsx";
import { hindranceOf } from "../../account/hindrance.ts";

type FailurePage = "login/failed" | "login/expired";

/** Fetched while there is a connection: without one they must show all the same. */
const failurePages = {
  "login/failed": () => import("./failed/page.tsx"),
  "login/expired": () => import("./expired/page.tsx"),
} as const;

export function useFailurePage(route: FailurePage): void {
  useEffect(() => void failurePages[route]().catch(() => undefined), [route]);
}

/** Shows it in place: what was typed is kept, and the address may still open something. */
export function showFailure({ locale }: WebSite, route: FailurePage, error: unknown, replace = false): void {
  const problem = hindranceOf(error);
  showPage(buildPath(route, locale), { replace, ...(problem === null ? {} : { problem }) });
}
