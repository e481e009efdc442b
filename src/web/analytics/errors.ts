/** Rendering and window errors for the operator, once each (spec 001 §8), with where they happened and in which build. */
import { matchPath } from "#core/routes.ts";
import type { Api } from "../api/client.ts";
import { appVersion } from "../api/version.ts";

/** A page that fails in a loop says so often enough. */
const mostReports = 20;

export interface ErrorReports {
  readonly report: (error: unknown) => void;
}

export interface ErrorParts {
  readonly api: Api;
  /** Name of the build. */
  readonly release: string;
  readonly version: string;
  readonly address: () => { readonly href: string; readonly pathname: string };
  /** Told of each error too: the data layer's `js-exception`. */
  readonly onReport: (message: string) => void;
}

export function createErrorReports({ api, release, version, address, onReport }: ErrorParts): ErrorReports {
  const told = new Set<string>();
  return {
    report(error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      const key = `${message}\n${stack ?? ""}`;
      if (told.has(key) || told.size >= mostReports) return;
      told.add(key);
      onReport(message);
      const { href, pathname } = address();
      const match = matchPath(pathname);
      // A report that does not arrive is not reported.
      void api
        .call("reportError", {
          // What stops a visitor often leads to another page at once.
          leaving: true,
          body: {
            message: message.slice(0, 2000),
            stack: stack?.slice(0, 20_000),
            // A query may hold what opens something.
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
