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
  /** Selects the app store of links to the app. No cached page depends on it. */
  readonly userAgent: string;
  /** Whether the client may see developer pages. */
  readonly developer?: boolean;
  /** YYYY-MM-DD */
  readonly today: string;
  /** Set for a visitor who started in a release that this build no longer contains. */
  readonly release?: PageRelease;
}

export interface PageRelease {
  /** Its name in pages and events (`releaseName`). */
  readonly name: string;
  readonly version: string;
  /** Returns the same object for every call. */
  readonly questionnaireIn: (locale: Locale) => Questionnaire;
}

/** A questionnaire's two modules in the browser: its questions, and the contents that load later. */
export const releaseModules = ["questionnaire", "contents"] as const;
export type ReleaseModule = (typeof releaseModules)[number];
export const releaseModulePath = (release: string, module: ReleaseModule, locale: Locale): string =>
  `/releases/${release}/${module}-${locale}.js`;

export interface PageRedirect {
  readonly status: 301 | 302;
  readonly location: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type PageResponse =
  | PageRedirect
  | {
      readonly status: 200 | 404 | 500;
      /** The body: HTML, unless the headers set another `content-type`. */
      readonly html: string;
      /** Whether the answer is the same for every request with the same cache key. */
      readonly cacheable: boolean;
      readonly headers: Readonly<Record<string, string>>;
    };

export interface RequestedPage {
  /** The canonical address, without answers that the engine rejects. An address that redirects stays unchanged. */
  readonly url: string;
  /** Cache key of the page: the address, and everything else that the page depends on. */
  readonly key: string;
}

export interface Site {
  readonly render: (request: PageRequest) => Promise<PageResponse>;
  /** The error page after a failed rendering, status 500. If it fails too, or is missing, the server writes its own. */
  readonly renderError?: (request: PageRequest) => Promise<PageResponse>;
  /** HTML for a visitor whose network has requested too many pages. It costs nearly nothing to make. */
  readonly refusedPage?: (request: PageRequest, retryAfterSeconds: number) => string;
  /** The page that a request asks for. It is rendered and cached once for all requests with the same key. */
  readonly requestedPage?: (request: PageRequest) => RequestedPage;
  /** Where the address redirects to, without rendering anything; null if there is a page. `render` gives the same. */
  readonly redirect?: (request: PageRequest) => PageRedirect | null;
  /** JavaScript of one module of a release that the build does not contain. */
  readonly releaseModule?: (release: PageRelease, module: ReleaseModule, locale: Locale) => string;
  /** CSP sources (`'sha256-…'`) of the inline scripts in the pages. */
  readonly scriptHashes: readonly string[];
}

/** The cookie with the visitor's locale, so that `/` can answer in it (spec 000 §2). */
export const localeCookieName = "parlando-locale";

/** Query parameters that change the rendered page. The cache ignores all others (campaign ids, tags): only the script reads them. */
export const pageParameters = ["a", "hf"] as const;
/** The page parameters of which only the presence counts, not the value. */
export const flagParameters = ["hf"] as const;

/** Query parameters that hold a secret. */
export const secretParameters = ["token", "confirm_token"] as const;
