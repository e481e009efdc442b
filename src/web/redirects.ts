/** Redirects (spec 001 §2). Each names its final target, so that no visitor is redirected twice. */
import { defaultVersion, isVersion, questionnaireFor } from "#content/questionnaires/index.ts";
import { traitsOf } from "#content/questionnaires/known.ts";
import { allowedBackend } from "#core/links.ts";
import type { Locale } from "#core/locales.ts";
import { type PageRequest, secretParameters } from "#core/page.ts";
import { type AddressedRoute, type AnyParams, buildPath, type RedirectRoute, type RouteMatch } from "#core/routes.ts";
import { withQuery } from "#core/withQuery.ts";
import type { ClientConfig } from "./clientConfig.ts";
import { platformOf } from "./device/device.ts";
import { storeLinkFor } from "./device/storeLink.ts";

interface From {
  readonly locale: Locale;
  readonly params: AnyParams;
  readonly query: URLSearchParams;
  readonly request: PageRequest;
  readonly client: Omit<ClientConfig, "publicUrl">;
}

/** The target with its query, or null if there is none. */
type Redirect = (from: From) => string | null;

const redirects: { readonly [K in RedirectRoute]: Redirect } = {
  "questionnaire/root": ({ locale, params: { version = defaultVersion[locale] }, query }) => {
    if (!isVersion(version)) return null;
    const question = String(questionnaireFor(version, locale).initialQuestion);
    return withQuery(buildPath("questionnaire/question", locale, { version, question }), query);
  },
  "app/dashboard": (from) => inApp("app/dashboard", "dashboard", from),
  "app/exercise": (from) => inApp("app/exercise", "exercise", from),
  "app/forgot-password": (from) => inApp("app/forgot-password", "forgot-password", from, tokenIn(from)),
  "dev/reset-root": ({ locale, query, request }) => (request.developer ? withQuery(buildPath("dev/reset", locale), query) : null),
};

/** The token, and with several back ends the one that mailed it. */
function tokenIn({ query, client: { backends } }: From): Readonly<Record<string, string>> {
  const token = query.get("token");
  const backend = backends.length > 1 ? allowedBackend(query.get("backend-url"), backends) : null;
  return { ...(token === null ? {} : { token }), ...(backend === null ? {} : { "backend-url": backend }) };
}

/**
 * A page of the app host. Its query has the locale, the requested address without its secrets, and the store link of the visitor's
 * platform.
 */
function inApp(
  route: AddressedRoute,
  page: string,
  { locale, query, request, client }: From,
  forwarded: Readonly<Record<string, string>> = {},
): string {
  const store = storeLinkFor(client.storeLinks, platformOf(request.userAgent, 0));
  const shown = new URLSearchParams(query);
  for (const name of secretParameters) shown.delete(name);
  const told = new URLSearchParams({
    locale,
    target: request.publicUrl + withQuery(buildPath(route, locale, {}), shown),
    ...(store === null ? {} : { store }),
    ...forwarded,
  });
  return `${client.appUrl}/${page}?${told}`;
}

/** The redirect target of a matched address; undefined for a page, null if the address does not exist. */
export function redirectOf(match: RouteMatch, from: Omit<From, "locale" | "params">): string | null | undefined {
  const { locale, params } = match;
  // Some versions belong to another product with its own site (spec 001 §2, "Home redirect screen").
  const site = params.version === undefined ? null : traitsOf(params.version).externalSite;
  if (site !== null) return withQuery(site, from.query);
  return match.kind === "page" ? undefined : redirects[match.route]({ ...from, locale, params });
}
