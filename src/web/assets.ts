/** The files that a page needs, from Vite's manifest or from the development server. */
import type { Locale } from "#core/locales.ts";
import type { PageRoute } from "#core/routes.ts";
import type { StyleSheet } from "./criticalStyle.ts";

export interface PageAssets {
  readonly stylesheets: readonly string[];
  /** Style sheets whose critical part is inlined in the page. */
  readonly styles: readonly { readonly href: string; readonly sheet: StyleSheet }[];
  readonly modules: readonly string[];
  /** Further modules for a visitor who has a stored state. */
  readonly returning: readonly string[];
  readonly scripts: readonly string[];
  readonly questionnaire: string;
  /** The questionnaire's release, by the name that events carry. */
  readonly release: string;
  readonly laterContents: string;
  readonly texts: string;
  readonly moreTexts: string;
}

export interface Assets {
  /** @param sources source files of further modules that the page needs */
  readonly forPage: (route: PageRoute, version: string, locale: Locale, sources: readonly string[]) => PageAssets;
}
