/** Renders pages on the server: a pure function of the request (design/architecture.md, "How a page reaches a visitor"). */
import { defaultVersion, embeddedVersion, isVersion, questionnaireFor } from "#content/questionnaires/index.ts";
import { traitsOf } from "#content/questionnaires/traits.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { isLocale, type Locale, locales, localeTraits } from "#core/locales.ts";
import type { PageRequest, PageResponse } from "#core/page.ts";
import { compile, type CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import { type AddressedRoute, type AnyParams, buildPath, matchPath, type PageRoute, routes } from "#core/routes.ts";
import { renderToString } from "react-dom/server";
import { App, loadPage } from "./App.tsx";
import type { Assets } from "./assets.ts";
import type { ClientConfig } from "./clientConfig.ts";
import { document } from "./document.ts";
import { silentServices } from "./services.ts";
import { frozenSession, renderedSnapshot } from "./session/session.ts";
import { webSite } from "./siteContext.tsx";

/** How many answers a link may carry; more than any way through a questionnaire. */
const answersLimit = 2000;

export interface Renderer {
  readonly render: (request: PageRequest) => Promise<PageResponse>;
}

export function createRenderer(assets: Assets, client: Omit<ClientConfig, "publicUrl">): Renderer {
  return {
    async render(request) {
      const url = new URL(request.url, "http://localhost");
      const match = matchPath(url.pathname);
      switch (match.kind) {
        case "redirect":
          return { status: 301, location: match.path + url.search, headers: {} };
        case "none":
          return renderPage(assets, client, request, url, {
            route: "not-found",
            locale: match.locale ?? preferredLocale(request),
            params: {},
          });
        case "root": {
          const page = await renderPage(assets, client, request, url, { route: "home", locale: preferredLocale(request), params: {} });
          return {
            ...page,
            headers: { ...page.headers, vary: "Accept-Language, Cookie" },
            ...("cacheable" in page ? { cacheable: false } : {}),
          };
        }
        case "page":
          return renderPage(assets, client, request, url, match);
      }
    },
  };
}

interface Place {
  readonly route: PageRoute;
  readonly locale: Locale;
  readonly params: AnyParams;
}

const compiledQuestionnaires = new Map<object, CompiledQuestionnaire>();

function compiledFor(version: string, locale: Locale): CompiledQuestionnaire {
  const definition = questionnaireFor(isVersion(version) ? version : defaultVersion[locale], locale);
  const known = compiledQuestionnaires.get(definition);
  if (known !== undefined) return known;
  const compiled = compile(definition);
  compiledQuestionnaires.set(definition, compiled);
  return compiled;
}

async function renderPage(
  assets: Assets,
  client: Omit<ClientConfig, "publicUrl">,
  request: PageRequest,
  url: URL,
  asked: Place,
): Promise<PageResponse> {
  const elsewhere =
    asked.route === "questionnaire/root" && asked.params.version !== undefined ? traitsOf(asked.params.version).externalSite : null;
  if (elsewhere !== null) return { status: 302, location: elsewhere, headers: {} };
  const place = placeOf(asked);
  const { route, locale, params } = place;
  const version = params.version ?? (route === "home" ? embeddedVersion : defaultVersion)[locale];
  const compiled = compiledFor(version, locale);
  if (route === "questionnaire/root") {
    const path = buildPath("questionnaire/question", locale, { version, question: String(compiled.definition.initialQuestion) });
    return { status: 302, location: path + url.search, headers: {} };
  }

  const answers = (url.searchParams.get("a") ?? "").slice(0, answersLimit);
  const bare = url.searchParams.has("hf");
  // The same for everybody: the country and the platform are filled in on the device.
  const context = { locale, country: "MX", platform: "other", requiresMarketingConsent: false, today: request.today } as const;
  const site = webSite({
    locale,
    texts: uiTexts(locale),
    loadMoreTexts: () => Promise.resolve({}),
    session: frozenSession(compiled, renderedSnapshot(compiled, context, answers)),
    services: silentServices(),
    client: { ...client, publicUrl: request.publicUrl },
    bare,
  });
  const page = await loadPage(site, route, params);
  const path = url.pathname;
  const html = renderToString(<App site={site} first={{ path, route, params, page }} />);
  const files = assets.forPage(route, version, locale, page.sources?.(site, params) ?? []);
  const { indexable } = routes[route];
  return {
    status: route === "not-found" ? 404 : 200,
    cacheable: true,
    headers: indexable ? {} : { "x-robots-tag": "noindex" },
    html: document({
      locale,
      theme: compiled.definition.theme,
      title: route === "home" ? page.title(site, params) : `${page.title(site, params)} · ${client.brand}`,
      description: page.description?.(site, params) ?? null,
      indexable,
      canonical: route === "not-found" ? null : request.publicUrl + canonicalPath(route, locale, params),
      alternates: route !== "not-found" && indexable ? alternates(route, params, request.publicUrl) : [],
      stylesheets: files.stylesheets,
      modules: files.modules,
      fonts: files.fonts,
      scripts: files.scripts,
      data: {
        locale,
        route,
        params,
        path,
        answers,
        today: request.today,
        version: compiled.definition.id,
        bare,
        questionnaireUrl: files.questionnaire,
        textsUrl: files.texts,
        moreTextsUrl: files.moreTexts,
        client: site.client,
      },
      html,
    }),
  };
}

/** A version or a question that does not exist is not found, with a real 404 (spec 001 §2). */
function placeOf(asked: Place): Place {
  const { params, locale } = asked;
  const notFound: Place = { route: "not-found", locale, params: {} };
  if (params.version === undefined) return asked;
  if (!isVersion(params.version)) return notFound;
  if (params.question === undefined) return asked;
  // A number has one spelling: 02 is not a question's address.
  const known =
    compiledFor(params.version, locale).question(Number(params.question)) !== undefined &&
    String(Number(params.question)) === params.question;
  return known ? asked : notFound;
}

function canonicalPath(route: Exclude<PageRoute, "not-found">, locale: Locale, params: AnyParams): string {
  const row = routes[route];
  return buildPath<AddressedRoute>("canonical" in row ? row.canonical : route, locale, params);
}

/** `es-419` means nothing to search engines: the Latin American pages stand for `es` and its countries (reference: integrations). */
const hreflangs: Readonly<Record<Locale, readonly string[]>> = {
  "en-US": ["en", "x-default"],
  "es-419": ["es", "es-MX", "es-AR", "es-CO", "es-CL", "es-PE"],
  "es-ES": ["es-ES"],
  "pt-BR": ["pt-BR"],
  "it-IT": ["it"],
  "de-DE": ["de"],
};

function alternates(route: Exclude<PageRoute, "not-found">, params: AnyParams, publicUrl: string) {
  return locales.flatMap((locale) =>
    hreflangs[locale].map((hreflang) => ({ hreflang, href: publicUrl + canonicalPath(route, locale, params) })),
  );
}

/** The stored locale, else the best of what the browser accepts, else Latin American Spanish. */
export function preferredLocale({ localeCookie, acceptLanguage }: Pick<PageRequest, "localeCookie" | "acceptLanguage">): Locale {
  if (isLocale(localeCookie)) return localeCookie;
  const wanted = acceptLanguage
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
      const quality = Number(parameters.find((parameter) => parameter.trim().startsWith("q="))?.split("=")[1] ?? 1);
      return { tag, quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ tag, quality }) => tag !== "" && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const exact = locales.find((locale) => locale.toLowerCase() === tag);
    if (exact !== undefined) return exact;
    const language = tag.split("-")[0];
    if (language === "es") return tag === "es-es" ? "es-ES" : "es-419";
    const same = locales.find((locale) => localeTraits[locale].intl.split("-")[0] === language);
    if (same !== undefined) return same;
  }
  return "es-419";
}
