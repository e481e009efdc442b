/** Reports rendering and window errors to the operator, each once, with place and build (spec 001 §8). */
import { appVersion } from "#core/appVersion.ts";
import { matchPath } from "#core/routes.ts";
import type { Api } from "../api/client.ts";
import { isSessionOver } from "../api/request.ts";

/** The most reports of one page: it may fail in a loop. */
const reportLimit = 20;

export interface ErrorReports {
  readonly report: (error: unknown) => void;
}

export interface ErrorParts {
  readonly api: Api;
  /** The build's name. */
  readonly release: string;
  readonly version: string;
  readonly address: () => { readonly href: string; readonly pathname: string };
  /** Called for each error, for the data layer's `js-exception`. */
  readonly onReport: (message: string) => void;
}

export function createErrorReports({ api, release, version, address, onReport }: ErrorParts): ErrorReports {
  const told = new Set<string>();
  return {
    report(error) {
      if (isSessionOver(error)) return;
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      const key = `${message}\n${stack ?? ""}`;
      if (told.has(key) || told.size >= reportLimit) return;
      told.add(key);
      onReport(message);
      const { href, pathname } = address();
      const match = matchPath(pathname);
      // A failed report is not reported again.
      void api
        .call("reportError", {
          // An error often leads to another page at once, so the request must outlive this one.
          leaving: true,
          body: {
            message: message.slice(0, 2000),
            stack: stack?.slice(0, 20_000),
            // The query may contain secrets.
            url: (href.split(/[?#]/)[0] ?? "").slice(0, 2000),
            appVersion,
            release,
            questionnaire: version,
            route: match.kind === "page" ? match.route : match.kind,
          },
        })
        .catch(() => undefined);
    },
  };
}
