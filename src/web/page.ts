/** What a page is, and what the server tells the script about the page it rendered. */
import type { Locale } from "#core/locales.ts";
import type { AnyParams, PageRoute } from "#core/routes.ts";
import type { FunctionComponent } from "react";
import type { ClientConfig } from "./clientConfig.ts";
import type { WebSite } from "./siteContext.tsx";

export interface PageProps {
  readonly params: AnyParams;
}

export interface Page {
  /** Without the brand's name. */
  readonly title: (site: WebSite, params: AnyParams) => string;
  readonly description?: (site: WebSite, params: AnyParams) => string;
  /** Fetches what the page needs beyond its own module, before it is shown; without it, all interface texts. */
  readonly prepare?: (site: WebSite, params: AnyParams) => Promise<void>;
  /** Source files of the modules that `prepare` fetches, so that the server can name them early. */
  readonly sources?: (site: WebSite, params: AnyParams) => readonly string[];
  readonly View: FunctionComponent<PageProps>;
}

/** What the browser's tab and a search engine show: the home page's title has the brand in it already. */
export function documentTitle(page: Page, route: PageRoute, site: WebSite, params: AnyParams): string {
  const title = page.title(site, params);
  return route === "home" ? title : `${title} · ${site.client.brand}`;
}

/** In the page as JSON, nothing personal: the same for everybody who asks for this address. */
export interface PageData {
  readonly locale: Locale;
  readonly route: PageRoute;
  readonly params: AnyParams;
  /** Path and answers the server rendered, and its date. */
  readonly path: string;
  readonly answers: string;
  readonly today: string;
  /** Version of the questionnaire that came with the page. */
  readonly version: string;
  /** Which release of it, as events name it. */
  readonly release: string;
  readonly bare: boolean;
  readonly questionnaireUrl: string;
  readonly laterContentsUrl: string;
  readonly textsUrl: string;
  readonly moreTextsUrl: string;
  readonly client: ClientConfig;
}

/** Throws where the document has none. It is this site's own, by `document.ts`: checking it would cost every first page a parser. */
export function pageDataIn(document: Document): PageData {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(document.getElementById(pageDataId)?.textContent ?? "") as PageData;
}

/** Id of the element that holds it. */
export const pageDataId = "page-data";
/** Id of the element that holds what a tap before the script leads to. */
export const nextPagesId = "next-pages";
/** Id of the element that React hydrates. */
export const appRootId = "app";
/** Id of the template that holds the page's modules. */
export const modulesId = "modules";
/** Half of a change of questions, ms (spec 001 §9). */
export const fade = 200;
