/** Shows the page for a failed login (spec 001 §8). */
import { buildPath } from "#core/routes.ts";
import { useEffect } from "react";
import { showPage } from "../../navigation.ts";
import type { WebSite } from "../../siteContext.tsx";
import { temporaryFailureOf } from "../../account/temporaryFailure.ts";

type FailurePage = "login/failed" | "login/expired";

/** The failure pages, preloaded because they must also be shown offline. */
const failurePages = {
  "login/failed": () => import("./failed/page.tsx"),
  "login/expired": () => import("./expired/page.tsx"),
} as const;

export function useFailurePage(route: FailurePage): void {
  useEffect(() => void failurePages[route]().catch(() => undefined), [route]);
}

/** Shows the page in place, so that typed fields and the link's token are kept. */
export function showFailure({ locale }: WebSite, route: FailurePage, error: unknown, replace = false): void {
  const problem = temporaryFailureOf(error);
  showPage(buildPath(route, locale), { replace, ...(problem === null ? {} : { problem }) });
}
