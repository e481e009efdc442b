import type { Locale } from "./locales.ts";

/** The seam between the server and the rendered site: a page is a pure function of this request. */
export interface PageRequest {
  /** Path and query as asked for, for example `/es-latam/habla-ingles/76/2/?a=2.1`. */
  readonly url: string;
  /** `https://parlando.example`, from configuration, never from the request. */
  readonly publicUrl: string;
  /** What `/geo.json` says to the same visitor. */
  readonly geoLocale: Locale;
  /** The stored locale's cookie, if it came. */
  readonly localeCookie: string | undefined;
  /** Which app store a link to the app names; nothing that is kept depends on it. */
  readonly userAgent: string;
  /** Whether developer pages are there for whoever asks. */
  readonly developer?: boolean;
  /** YYYY-MM-DD */
  readonly today: string;
}

export type PageResponse =
  | {
      readonly status: 200 | 404 | 500;
      /** The body: a page, unless the headers name another `content-type`. */
      readonly html: string;
      /** The same for everybody whose request has the same `Asked`. */ readonly cacheable: boolean;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly status: 301 | 302; readonly location: string; readonly headers: Readonly<Record<string, string>> };

export interface Asked {
  /** The address in its shortest form, without answers that the engine does not take. An address that redirects keeps what it has. */
  readonly url: string;
  /** Names the page: the address, and what else the page depends on. */
  readonly key: string;
}

export interface Site {
  readonly render: (request: PageRequest) => Promise<PageResponse>;
  /** The page for when rendering failed, status 500. It may fail as well; a site without it leaves the answer to the server. */
  readonly renderError?: (request: PageRequest) => Promise<PageResponse>;
  /** Which page a request asks for: it is rendered and kept once for all requests that ask for the same. */
  readonly askedFor?: (request: PageRequest) => Asked;
  /** CSP sources (`'sha256-…'`) of the inline scripts that pages carry. */
  readonly scriptHashes: readonly string[];
}

/** The cookie in which the browser keeps the stored locale, so that `/` can answer in it (spec 000 §2). */
export const localeCookieName = "parlando-locale";

/** Query parameters that may change what the server renders; others (campaign ids, tags) are the script's to read, so pages are cached without them. */
export const pageParameters = ["a", "hf"] as const;
