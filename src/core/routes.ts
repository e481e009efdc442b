/** Builds and matches the addresses of `routeTable.ts`. */
import { otherPrefixes } from "./localeReach.ts";
import { type Locale, locales, localeTraits } from "./locales.ts";
import { type PathTable, type PathTables, pathTables, rows } from "./routeTable.ts";

type Rows = typeof rows;
/** Every route, without its paths: the browser does not know all of them. */
export const routes: { readonly [K in keyof Rows]: Omit<Rows[K], "paths"> } = rows;

export type RouteName = keyof typeof routes;
export const routeNames = Object.keys(routes).filter((name): name is RouteName => Object.hasOwn(routes, name));

/** Routes that show a page. The table of pages has these keys, so a missing page does not compile. */
export type PageRoute = { [K in RouteName]: Rows[K]["page"] extends true ? K : never }[RouteName];
/** Routes that only redirect. The table of redirects has these keys. */
export type RedirectRoute = { [K in RouteName]: Rows[K]["page"] extends "redirect" ? K : never }[RouteName];
/** Routes that have an address. */
export type AddressedRoute = { [K in RouteName]: Rows[K]["paths"] extends null ? never : K }[RouteName];

export type RouteParams<K extends RouteName> = { readonly [P in Rows[K]["params"][number]]: string };
/** The question id in link templates (spec 001 §9). Pages after the funnel have higher ids, questions lower ones. */
export const templateQuestionId = 999;
/** The highest id of a page after the funnel. */
export const highestQuestionId = 1012;

/** The id of a question or of a page after the funnel; undefined for other pages. */
export function questionIdAt(route: RouteName, { question }: AnyParams = {}): number | undefined {
  const row = routes[route];
  if (question !== undefined) return Number(question);
  return "questionId" in row ? row.questionId : undefined;
}

/** Any route's parameters, for code that treats all routes alike. */
export type AnyParams = Readonly<Partial<Record<"version" | "question", string>>>;

interface Named<K> {
  readonly route: K;
  readonly locale: Locale;
  readonly params: AnyParams;
}
export type RouteMatch =
  | ({ readonly kind: "page" } & Named<PageRoute>)
  /** An address that only redirects; the server decides where to. */
  | ({ readonly kind: "redirectRoute" } & Named<RedirectRoute>);

export type Match =
  | RouteMatch
  /** `/`: the home page in the stored locale, or else in the browser's preferred one. */
  | { readonly kind: "root" }
  /**
   * 301 to this path, keeping the query. `to` is the route that the path leads to; null is the root. If that route redirects too, the
   * server answers both redirects with one.
   */
  | { readonly kind: "redirect"; readonly path: string; readonly to: RouteMatch | null }
  | { readonly kind: "none"; /** The locale of the not-found page, if the path names one. */ readonly locale: Locale | null };

const localeOfPrefix: ReadonlyMap<string, Locale> = new Map(
  locales.flatMap((locale) => [localeTraits[locale].prefix, ...otherPrefixes[locale]].map((prefix): [string, Locale] => [prefix, locale])),
);
/** The only locale whose pages also have addresses without a prefix (spec 001 §2). */
const unprefixedLocale: Locale = "es-419";

/** The path of a route with its parameters, prefixed and with a trailing slash: `/es-latam/habla-ingles/76/2/`. */
export function buildPath<K extends AddressedRoute>(
  route: K,
  locale: Locale,
  ...[params]: AddressedRoute extends K ? [AnyParams] : Rows[K]["params"] extends readonly [] ? [] : [RouteParams<K>]
): string {
  return `/${localeTraits[locale].prefix}${below(route, locale, params ?? {})}`;
}

function below(route: AddressedRoute, locale: Locale, params: AnyParams): string {
  const path = pathIn(locale, route).replace(/\{(version|question)\}/g, (_, name: "version" | "question") =>
    encodeURIComponent(params[name] ?? ""),
  );
  return path === "" ? "/" : `/${path}/`;
}

interface Pattern {
  readonly route: AddressedRoute;
  readonly segments: readonly string[];
}
const known: Partial<Record<Locale, PathTable>> = { ...pathTables };
const indexOf: ReadonlyMap<string, number> = new Map(routeNames.map((route, index) => [route, index]));
const patterns = new Map<Locale, readonly Pattern[]>();

/** For the browser: adds the paths that come with a locale's texts. */
export function learnPaths(tables: PathTables): void {
  Object.assign(known, tables);
  patterns.clear();
}

/** The path below the locale's prefix, with variable segments. While the browser does not know the locale's paths, that of its home page. */
export function pathIn(locale: Locale, route: AddressedRoute): string {
  return known[locale]?.[indexOf.get(route) ?? 0] ?? "";
}

function patternsOf(locale: Locale): readonly Pattern[] {
  const all = routeNames.filter(isAddressed).map((route) => ({
    route,
    segments: pathIn(locale, route)
      .split("/")
      .filter((segment) => segment !== ""),
  }));
  // Fixed words match before variable ones.
  return all.toSorted((a, b) => variables(a) - variables(b));
}
function variables(pattern: Pattern): number {
  return pattern.segments.filter((segment) => segment.startsWith("{")).length;
}
interface Found {
  readonly route: AddressedRoute;
  readonly params: AnyParams;
}

function matchBelow(locale: Locale, segments: readonly string[]): Found | null {
  const inLocale = patterns.get(locale) ?? patternsOf(locale);
  patterns.set(locale, inLocale);
  for (const pattern of inLocale) {
    if (pattern.segments.length !== segments.length) continue;
    const params: Partial<Record<"version" | "question", string>> = {};
    const fits = segments.every((segment, index) => {
      const wanted = pattern.segments[index];
      if (wanted === "{version}") params.version = segment;
      else if (wanted === "{question}") {
        params.question = segment;
        return /^\d+$/.test(segment);
      } else return wanted === segment;
      return true;
    });
    if (fits) return { route: pattern.route, params };
  }
  return null;
}

export function isPageRoute<K extends RouteName>(route: K): route is K & PageRoute {
  return routes[route].page === true;
}
export function isAddressed<K extends RouteName>(route: K): route is K & AddressedRoute {
  return route !== "not-found" && route !== "error";
}

/**
 * Matches a path (without query). Prefix, missing slash and doubled slashes are corrected in one redirect (spec 001 §2). Any word matches as a
 * version; the page checks whether it exists.
 */
export function matchPath(pathname: string): Match {
  let segments: readonly string[];
  try {
    segments = pathname
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent);
  } catch {
    // Broken percent-encoding matches nothing.
    return { kind: "none", locale: null };
  }
  const [first, ...rest] = segments;
  if (first === undefined) return pathname === "/" ? { kind: "root" } : { kind: "redirect", path: "/", to: null };

  const prefixLocale = localeOfPrefix.get(first.toLowerCase());
  if (prefixLocale !== undefined) {
    const found = matchBelow(prefixLocale, rest);
    return found === null
      ? { kind: "none", locale: prefixLocale }
      : pageOrRedirect(pathname, `/${localeTraits[prefixLocale].prefix}`, prefixLocale, found);
  }
  const unprefixed = matchBelow(unprefixedLocale, segments);
  if (unprefixed !== null) return pageOrRedirect(pathname, "", unprefixedLocale, unprefixed);
  for (const locale of locales) {
    const found = matchBelow(locale, segments);
    if (found !== null) return pageOrRedirect(pathname, `/${localeTraits[locale].prefix}`, locale, found);
  }
  return { kind: "none", locale: null };
}

/** The page if the path is spelled canonically, else a redirect to that spelling. */
function pageOrRedirect(pathname: string, prefix: string, locale: Locale, { route, params }: Found): Match {
  const path = prefix + below(route, locale, params);
  const to: RouteMatch = isPageRoute(route) ? { kind: "page", route, locale, params } : { kind: "redirectRoute", route, locale, params };
  return path === pathname ? to : { kind: "redirect", path, to };
}
