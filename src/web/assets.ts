/** Which files a page needs, from Vite's manifest or from the development server. */
import type { Locale } from "#core/locales.ts";
import type { PageRoute } from "#core/routes.ts";

export interface PageAssets {
  readonly stylesheets: readonly string[];
  readonly modules: readonly string[];
  readonly fonts: readonly string[];
  readonly scripts: readonly string[];
  readonly questionnaire: string;
  readonly texts: string;
}

export interface Assets {
  readonly forPage: (route: PageRoute, version: string, locale: Locale) => PageAssets;
}
