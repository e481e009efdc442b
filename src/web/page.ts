/** The definition of a page, and the data that the server passes to the script with each rendered page. */
import type { Locale } from "#core/locales.ts";
import type { AnyParams, PageRoute } from "#core/routes.ts";
import type { FunctionComponent } from "react";
import type { ClientConfig } from "./clientConfig.ts";
import type { WebSite } from "./siteContext.tsx";

export interface PageProps {
  readonly params: AnyParams;
}

export interface Page {
  /** The title without the brand. */
  readonly title: (site: WebSite, params: AnyParams) => string;
  readonly description?: (site: WebSite, params: AnyParams) => string;
  /** Loads what the page needs besides its module, before it is shown. The default loads all interface texts. */
  readonly prepare?: (site: WebSite, params: AnyParams) => Promise<void>;
  /** Source files of the modules that `prepare` loads, so that the server can preload them. */
  readonly sources?: (site: WebSite, params: AnyParams) => readonly string[];
  /** Id of the element after the page's first screen. The first paint waits for that screen; by default for the whole page. */
  readonly afterFirstScreen?: string;
  readonly View: FunctionComponent<PageProps>;
}

/** The document's title. The home page's title already has the brand in it. */
export function documentTitle(page: Page, route: PageRoute, site: WebSite, params: AnyParams): string {
  const title = page.title(site, params);
  return route === "home" ? title : `${title} · ${site.client.brand}`;
}

/** JSON in the page. It has no personal data and is the same for everybody who requests this address. */
export interface PageData {
  readonly locale: Locale;
  readonly route: PageRoute;
  readonly params: AnyParams;
  /** Path, answer code and date that the server rendered with. */
  readonly path: string;
  readonly answers: string;
  readonly today: string;
  /** The questionnaire's release, by the name that events carry. */
  readonly release: string;
  readonly bare: boolean;
  readonly questionnaireUrl: string;
  readonly laterContentsUrl: string;
  readonly textsUrl: string;
  readonly moreTextsUrl: string;
  readonly client: ClientConfig;
}

/** Throws if the document has no page data. Unchecked, because `document.ts` wrote it and a validator would delay every first page. */
export function pageDataIn(document: Document): PageData {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(document.getElementById(pageDataId)?.textContent ?? "") as PageData;
}

/** Id of the element with the page data. */
export const pageDataId = "page-data";
/** Id of the element with the next questions for a tap before hydration. */
export const nextPagesId = "next-pages";
/** Id of the element that React hydrates. */
export const appRootId = "app";
/** Id of the template with the page's modules. */
export const modulesId = "modules";
/** Half of a change of questions, ms (spec 001 §9). */
export const fade = 200;
