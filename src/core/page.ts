import type { Locale } from "./locales.ts";
import type { Questionnaire } from "./questionnaire/definition.ts";

/** The interface between the server and the rendered site: a page is a pure function of this request. */
export interface PageRequest {
  /** Path and query of the request, such as `/es-latam/habla-ingles/76/2/?a=2.1`. */
  readonly url: string;
  /** Such as `https://parlando.example`; from the configuration, never from the request. */
  readonly publicUrl: string;
  /** The locale that `/geo.json` gives the same visitor. */
  readonly geoLocale: Locale;
  /** The cookie with the stored locale, if the request has one. */
  readonly localeCookie: string | undefined;
  /** Decides which app store a link to the app leads to. No cached page depends on it. */
  readonly userAgent: string;
  /** Whether the client may see developer pages. */
  readonly developer?: boolean;
  /** YYYY-MM-DD */
  readonly today: string;
  /** A release that the code does not ship, for somebody who began on it. */
  readonly release?: PageRelease;
}

export interface PageRelease {
  /** As pages and events name it (`releaseName`). */
  readonly name: string;
  readonly version: string;
  /** The same object every time. */
  readonly questionnaireIn: (locale: Locale) => Questionnaire;
}

/** The two modules that a browser loads of a questionnaire: its questions, and the contents that come later. */
export const releaseModules = ["questionnaire", "contents"] as const;
export type ReleaseModule = (typeof releaseModules)[number];
export const releaseModulePath = (release: string, module: ReleaseModule, locale: Locale): string =>
  `/releases/${release}/${module}-${locale}.js`;

export type PageResponse =
  | {
      readonly status: 200 | 404 | 500;
      /** The body: HTML, unless the headers set another `content-type`. */
      readonly html: string;
      /** The same for every request with the same `Asked`. */ readonly cacheable: boolean;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly status: 301 | 302; readonly location: string; readonly headers: Readonly<Record<string, string>> };

export interface Asked {
  /** The canonical address, without answers that the engine rejects. An address that redirects stays unchanged. */
  readonly url: string;
  /** Cache key of the page: the address, and everything else that the page depends on. */
  readonly key: string;
}

export interface Site {
  readonly render: (request: PageRequest) => Promise<PageResponse>;
  /** The error page for a failed rendering, status 500. It may fail too; without it the server writes its own. */
  readonly renderError?: (request: PageRequest) => Promise<PageResponse>;
  /** Which page a request asks for. It is rendered and cached once for all requests that ask for the same page. */
  readonly askedFor?: (request: PageRequest) => Asked;
  /** The code of a module of a release that the build has none of. */
  readonly releaseModule?: (release: PageRelease, module: ReleaseModule, locale: Locale) => string;
  /** CSP sources (`'sha256-…'`) of the inline scripts in the pages. */
  readonly scriptHashes: readonly string[];
}

/** The cookie with the visitor's locale, so that `/` can answer in it (spec 000 §2). */
export const localeCookieName = "parlando-locale";

/** Query parameters that change the rendered page. The script reads all others (campaign ids, tags), so the cache ignores them. */
export const pageParameters = ["a", "hf"] as const;

/** Query parameters that open something. */
export const secretParameters = ["token", "confirm_token"] as const;
