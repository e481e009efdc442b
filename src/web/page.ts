/** What a page is, and what the server tells the script about the page it rendered. */
import { locales } from "#core/locales.ts";
import { type AnyParams, isPageRoute, type PageRoute, routeNames } from "#core/routes.ts";
import type { FunctionComponent } from "react";
import * as v from "valibot";
import { clientConfigSchema } from "./clientConfig.ts";
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
export const pageDataSchema = v.object({
  locale: v.picklist(locales),
  route: v.custom<PageRoute>((value) => routeNames.some((name) => name === value && isPageRoute(name))),
  params: v.record(v.picklist(["version", "question"]), v.string()),
  /** Path and answers the server rendered, and its date. */
  path: v.string(),
  answers: v.string(),
  today: v.string(),
  /** Version of the questionnaire that came with the page. */
  version: v.string(),
  bare: v.boolean(),
  questionnaireUrl: v.string(),
  laterContentsUrl: v.string(),
  textsUrl: v.string(),
  moreTextsUrl: v.string(),
  client: clientConfigSchema,
});
export type PageData = v.InferOutput<typeof pageDataSchema>;

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
