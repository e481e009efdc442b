/** The server's entry: renders pages as a pure function of the request. */
import { defaultVersion, embeddedVersion, isVersion } from "#content/questionnaires/index.ts";
import { isLocale, type Locale } from "#core/locales.ts";
import { type PageRedirect, type PageRequest, type PageResponse, releaseModulePath, type Site } from "#core/page.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import { compile, type CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { openGraphUrl } from "#core/pictures.ts";
import { visibleOptions } from "#core/questionnaire/requirements.ts";
import { type AnyParams, isAddressed, matchPath, type PageRoute, routes } from "#core/routes.ts";
import { renderToString } from "react-dom/server";
import { App, loadPage } from "./App.tsx";
import type { Assets, PageAssets } from "./assets.ts";
import type { ClientConfig } from "./clientConfig.ts";
import { moduleCode } from "./build/contentSource.ts";
import { type Contents, contents } from "./contents.ts";
import { document, inlineScripts } from "./document.ts";
import { withFittingDays } from "./fittingDays.ts";
import type { NextPage, NextPages } from "./firstAnswer.ts";
import { laterContents, withoutLaterContents } from "./laterContents.ts";
import { documentTitle } from "./page.ts";
import { isPicture, picturedContext, picturedServices, picturedSnapshot } from "./picture.ts";
import { embeddedLink, optionLink } from "./pages/questionnaire/question/options.ts";
import { refusedPage } from "./refusedPage.ts";
import { redirectOf } from "./redirects.ts";
import { alternates, canonicalUrl } from "./seo/addresses.ts";
import { type AppLinks, noAppLinks } from "./seo/appLinks.ts";
import { siteFile } from "./seo/files.ts";
import { structuredData } from "./seo/structuredData.ts";
import { silentServices } from "./services.ts";
import { frozenSession, renderedSnapshot, type Snapshot } from "./session/session.ts";
import { type WebSite, webSite } from "./siteContext.tsx";

export { inlineScripts };

/** The root page's language depends on the visitor, so shared caches must not keep it. */
const byVisitor = { vary: "Accept-Encoding, Accept-Language, Cookie", "cache-control": "private, no-cache" };

/** Characters of the answer code that are read from a link. No path through a questionnaire needs more. */
const answersLimit = 2000;

export type Renderer = Required<Pick<Site, "render" | "renderError">> &
  Pick<Site, "requestedPage" | "redirect" | "releaseModule" | "refusedPage">;

/** The same context for every visitor: the browser fills in country and platform. A picture's address names its visitor's. */
function contextFor({ searchParams }: URL, locale: Locale, { today }: PageRequest): Context {
  const usual = { locale, country: "MX", platform: "other", requiresMarketingConsent: false, today } as const;
  return isPicture(searchParams) ? picturedContext(searchParams, usual) : usual;
}

/** Answers every address with a page, one redirect, a file or the not-found page (spec 001 §2, "Routing rules"). */
export function createRenderer(
  assets: Assets,
  client: Omit<ClientConfig, "publicUrl">,
  appLinks: AppLinks = noAppLinks,
  from = contents,
): Renderer {
  const show = (request: PageRequest, url: URL, place: Place) =>
    renderPage(assets, client, contentsFor(request, from), request, url, place);

  function find(request: PageRequest, url: URL): PageRedirect | Place {
    const match = matchPath(url.pathname);
    if (match.kind === "none") return { route: "not-found", locale: match.locale ?? preferredLocale(request), params: {} };
    const home = { route: "home", locale: preferredLocale(request), params: {} } as const;
    if (match.kind === "root") return home;
    const standing = match.kind === "redirect" ? match.to : match;
    const location = standing === null ? undefined : redirectOf(standing, { query: url.searchParams, request, client });
    if (typeof location === "string") return { status: 302, location, headers: {} };
    const place: Place =
      standing === null
        ? home
        : standing.kind === "page"
          ? placeOf(standing, request, contentsFor(request, from))
          : { route: "not-found", locale: standing.locale, params: {} };
    // A misspelled address of a missing page gets the 404 at once, without a redirect first.
    if (match.kind === "redirect" && place.route !== "not-found") return { status: 301, location: match.path + url.search, headers: {} };
    return place;
  }

  return {
    async render(request) {
      const url = urlOf(request);
      const file = siteFile(url.pathname, { publicUrl: request.publicUrl, appLinks });
      if (file !== null) return { status: 200, html: file.body, cacheable: true, headers: { "content-type": file.type } };
      const found = find(request, url);
      if ("location" in found) return found;
      const page = await show(request, url, found);
      return url.pathname === "/" ? { ...page, headers: { ...page.headers, ...byVisitor } } : page;
    },
    redirect(request) {
      const found = find(request, urlOf(request));
      return "location" in found ? found : null;
    },
    requestedPage(request) {
      const url = urlOf(request);
      const isRoot = url.pathname === "/";
      const keyOf = (address: string) => (isRoot ? `${address} ${preferredLocale(request)}` : address);
      const code = url.searchParams.get("a");
      if (code === null) return { url: request.url, key: keyOf(request.url) };
      const match = isRoot
        ? ({ kind: "page", route: "home", locale: preferredLocale(request), params: {} } as const)
        : matchPath(url.pathname);
      // Files, redirects and missing pages have no answers.
      if (match.kind !== "page") return { url: request.url, key: url.pathname };
      const compiled = compiledFor(versionOf(match), match.locale, contentsFor(request, from));
      const { state } = renderedSnapshot(compiled, contextFor(url, match.locale, request), code.slice(0, answersLimit));
      const answers = encodeAnswers(withFittingDays(compiled, state));
      if (answers === "") url.searchParams.delete("a");
      else url.searchParams.set("a", answers);
      const shortest = url.pathname + url.search;
      return { url: shortest, key: keyOf(shortest) };
    },
    releaseModule(release, module, locale) {
      const questionnaire = release.questionnaireIn(locale);
      return moduleCode(module === "questionnaire" ? withoutLaterContents(questionnaire) : laterContents(questionnaire));
    },
    async renderError(request) {
      const url = urlOf(request);
      return show(request, url, { route: "error", locale: localeOf(request, url), params: {} });
    },
    refusedPage(request, retryAfterSeconds) {
      const locale = localeOf(request, urlOf(request));
      return refusedPage(locale, from.uiTexts(locale), retryAfterSeconds);
    },
  };
}

/** The address's locale, or the visitor's. */
function localeOf(request: PageRequest, url: URL): Locale {
  const match = matchPath(url.pathname);
  return ("locale" in match ? match.locale : null) ?? preferredLocale(request);
}

/** Concatenated, not resolved: `//host/path` must stay a path. */
const urlOf = ({ url }: PageRequest): URL => new URL(`http://localhost${url}`);

interface Place {
  readonly route: PageRoute;
  readonly locale: Locale;
  readonly params: AnyParams;
}

const versionOf = ({ route, locale, params }: Place): string =>
  params.version ?? (route === "home" ? embeddedVersion : defaultVersion)[locale];

/** The contents, with the requested release in place of the version that the build ships. */
function contentsFor({ release }: PageRequest, from: Contents): Contents {
  if (release === undefined) return from;
  const { version, questionnaireIn } = release;
  return {
    ...from,
    questionnaireFor: (asked, locale) => (asked === version ? questionnaireIn(locale) : from.questionnaireFor(asked, locale)),
  };
}

/** The page's files, with the modules of the requested release (`releaseModule`). */
function filesOf(files: PageAssets, { release }: PageRequest, version: string, locale: Locale): PageAssets {
  if (release?.version !== version) return files;
  const questionnaire = releaseModulePath(release.name, "questionnaire", locale);
  const later = releaseModulePath(release.name, "contents", locale);
  const own = new Map([
    [files.questionnaire, questionnaire],
    [files.laterContents, later],
  ]);
  const modules = files.modules.map((module) => own.get(module) ?? module);
  return { ...files, release: release.name, questionnaire, laterContents: later, modules };
}

const compiledQuestionnaires = new WeakMap<object, CompiledQuestionnaire>();

function compiledFor(version: string, locale: Locale, from = contents): CompiledQuestionnaire {
  const definition = from.questionnaireFor(isVersion(version) ? version : defaultVersion[locale], locale);
  const known = compiledQuestionnaires.get(definition);
  if (known !== undefined) return known;
  const compiled = compile(definition);
  compiledQuestionnaires.set(definition, compiled);
  return compiled;
}

async function renderPage(
  assets: Assets,
  client: Omit<ClientConfig, "publicUrl">,
  from: Contents,
  request: PageRequest,
  url: URL,
  { route, locale, params }: Place,
): Promise<PageResponse> {
  const version = versionOf({ route, locale, params });
  const compiled = compiledFor(version, locale, from);
  const answers = (url.searchParams.get("a") ?? "").slice(0, answersLimit);
  const pictured = isPicture(url.searchParams);
  const context = contextFor(url, locale, request);
  const site = siteFor(compiled, context, from, {
    client: { ...client, publicUrl: request.publicUrl },
    url,
    questionId: Number(params.question),
  });
  const page = await loadPage(site, route, params);
  const path = url.pathname;
  const html = renderToString(<App site={site} first={{ path, route, params, page }} />);
  const files = filesOf(assets.forPage(route, version, locale, page.sources?.(site, params) ?? []), request, version, locale);
  const { indexable } = routes[route];
  const secret = "secret" in routes[route];
  const title = documentTitle(page, route, site, params);
  return {
    status: route === "not-found" ? 404 : route === "error" ? 500 : 200,
    // Only developers may see a developer page.
    cacheable: !("developer" in routes[route]),
    headers: {
      ...(indexable && request.release === undefined ? {} : { "x-robots-tag": "noindex" }),
      ...(secret ? { "referrer-policy": "no-referrer" } : {}),
    },
    html: document({
      locale,
      theme: compiled.definition.theme,
      themeOfVisitor: params.version === undefined,
      isPicture: pictured,
      title,
      description: page.description?.(site, params) ?? null,
      indexable,
      canonical: canonicalUrl(route, locale, params, request.publicUrl),
      alternates: indexable && isAddressed(route) ? alternates(route, params, request.publicUrl) : [],
      sharing: isAddressed(route) ? { title, siteName: client.brand, image: request.publicUrl + openGraphUrl(locale) } : null,
      structuredData: indexable ? structuredData(route, site) : [],
      // Secret pages link their style sheets: a font requested by an inline style would send the page's address as its Referer.
      stylesheets: secret ? [...files.stylesheets, ...files.styles.map(({ href }) => href)] : files.stylesheets,
      styles: secret ? [] : files.styles,
      modules: files.modules,
      returning: files.returning,
      scripts: files.scripts,
      data: {
        locale,
        route,
        params,
        path,
        answers,
        today: request.today,
        release: files.release,
        bare: site.bare,
        questionnaireUrl: files.questionnaire,
        laterContentsUrl: files.laterContents,
        textsUrl: files.texts,
        moreTextsUrl: files.moreTexts,
        client: site.client,
      },
      html,
      afterFirstScreen: page.afterFirstScreen ?? null,
      // A picture's options lead nowhere.
      next:
        answers === "" && !pictured
          ? await nextPages(site, { route, locale, params }, (code) => renderedSnapshot(compiled, context, code))
          : null,
    }),
  };
}

interface SiteParts {
  readonly client: ClientConfig;
  readonly url: URL;
  /** NaN on other pages. */
  readonly questionId: number;
}

/** The site that every visitor gets. For a picture in the studio: the site as one visitor saw it. */
function siteFor(compiled: CompiledQuestionnaire, context: Context, from: Contents, { client, url, questionId }: SiteParts): WebSite {
  const answers = (url.searchParams.get("a") ?? "").slice(0, answersLimit);
  // Other pages read the device when they are live.
  const pictured = isPicture(url.searchParams) && Number.isInteger(questionId);
  const snapshot = pictured ? picturedSnapshot(compiled, context, answers, questionId) : renderedSnapshot(compiled, context, answers);
  return webSite({
    locale: context.locale,
    texts: from.uiTexts(context.locale),
    loadMoreTexts: () => Promise.resolve({}),
    loadLaterContents: () => Promise.resolve(null),
    session: frozenSession(compiled, snapshot),
    services: pictured ? picturedServices(compiled, snapshot) : silentServices(),
    client,
    bare: url.searchParams.has("hf"),
  });
}

/** Renders the questions that the page's options lead to, each once. A question that needs further modules is left out: its link loads it. */
async function nextPages(site: WebSite, place: Place, after: (answers: string) => Snapshot): Promise<NextPages | null> {
  const pages: NextPage[] = [];
  const links: Record<string, NextPages["links"][string]> = {};
  for (const href of optionLinks(site, place)) {
    const { pathname: path, searchParams } = new URL(`http://localhost${href}`);
    const match = matchPath(path);
    if (match.kind !== "page" || match.route !== "questionnaire/question") continue;
    const { route, params } = match;
    const answers = searchParams.get("a") ?? "";
    const nextSite = { ...site, session: frozenSession(site.session.compiled, after(answers)) };
    const page = await loadPage(nextSite, route, params);
    if ((page.sources?.(nextSite, params) ?? []).length > 0) continue;
    const rendered = renderToString(<App site={nextSite} first={{ path, route, params, page }} />);
    const hrefs: string[] = [];
    const html = rendered.replaceAll(/ href="([^"]*)"/g, (_, href: string) => {
      hrefs.push(href);
      return ' href=""';
    });
    const title = documentTitle(page, route, nextSite, params);
    const known = pages.findIndex((other) => other.html === html && other.path === path && other.title === title);
    links[href] = { page: known < 0 ? pages.push({ title, html, path, params }) - 1 : known, hrefs };
  }
  return pages.length === 0 ? null : { pages, links };
}

function optionLinks(site: WebSite, { route, params }: Place): readonly string[] {
  const { compiled } = site.session;
  const { state, context } = site.session.snapshot();
  const isHome = route === "home";
  if (!isHome && route !== "questionnaire/question") return [];
  const question = compiled.question(isHome ? compiled.definition.embeddedQuestion : Number(params.question));
  if (question === undefined) return [];
  return visibleOptions(compiled, question, state, context).flatMap(
    (option) =>
      (isHome ? embeddedLink(site, compiled, context, option) : optionLink(site, compiled, state, context, question, option)) ?? [],
  );
}

/** Unknown versions and questions give a real 404 (spec 001 §2); so do developer pages for everybody but developers. */
function placeOf(asked: Place, { developer = false }: PageRequest, from: Contents): Place {
  const { route, params, locale } = asked;
  const notFound: Place = { route: "not-found", locale, params: {} };
  if ("developer" in routes[route] && !developer) return notFound;
  if (params.version === undefined) return asked;
  if (!isVersion(params.version)) return notFound;
  if (params.question === undefined) return asked;
  // A question has exactly one address: `02` is not 2.
  const known =
    compiledFor(params.version, locale, from).question(Number(params.question)) !== undefined &&
    String(Number(params.question)) === params.question;
  return known ? asked : notFound;
}

/** The stored locale, else the one that geo derives (spec 000 §2, §7). */
function preferredLocale({ localeCookie, geoLocale }: PageRequest): Locale {
  return isLocale(localeCookie) ? localeCookie : geoLocale;
}
