/**
 * The HTML document around a rendered page. React hydrates only the root element, so elements that in-app browsers add to head or body
 * do no harm.
 */
import type { Locale } from "#core/locales.ts";
import { type Theme, themes } from "#core/questionnaire/definition.ts";
import { startAfterPaint } from "./afterPaint.ts";
import type { PageAssets } from "./assets.ts";
import { completedLink } from "./completedLink.ts";
import { escapeHtml } from "#core/escapeHtml.ts";
import { classesIn, criticalPart, fetchedFamilies, usedPart, withoutFamilies } from "./criticalStyle.ts";
import { firstAnswer, type NextPages } from "./firstAnswer.ts";
import { applyStoredTheme } from "./storedTheme.ts";
import { oldBrowserPath } from "./oldBrowser.ts";
import { appRootId, fade, modulesId, nextPagesId, pageDataId, type PageData } from "./page.ts";
import { keepEarlyPress } from "./earlyPress.ts";
import { filterTaps } from "./taps.ts";

export interface DocumentParts {
  readonly locale: Locale;
  readonly theme: Theme;
  /** The page belongs to no version: it uses the theme of the visitor's funnel (`storedTheme.ts`), else `theme`. */
  readonly themeOfVisitor: boolean;
  /** The page is a picture in the studio, where no script runs. So it shows no notice that scripts are off, and contains the styles and fonts that a script would load. */
  readonly isPicture: boolean;
  readonly title: string;
  readonly description: string | null;
  readonly indexable: boolean;
  readonly canonical: string | null;
  readonly alternates: readonly { readonly hreflang: string; readonly href: string }[];
  /** How the page looks when it is shared; null for pages that are not to be shared. */
  readonly sharing: { readonly title: string; readonly siteName: string; readonly image: string } | null;
  /** JSON-LD. It is data, so the content security policy does not block it. */
  readonly structuredData: readonly object[];
  readonly stylesheets: readonly string[];
  /** Style sheets whose critical part is inlined. */
  readonly styles: PageAssets["styles"];
  readonly modules: readonly string[];
  /** Further modules for a visitor who has a stored state (`afterPaint.ts`). */
  readonly returning: readonly string[];
  /** Modules to run, in this order. */
  readonly scripts: readonly string[];
  readonly data: PageData;
  /** The page as React rendered it. */
  readonly html: string;
  /** Id of the element after the first screen; null: the first screen is the whole page. */
  readonly afterFirstScreen: string | null;
  /** The pages that its options lead to; null if the options are plain links. */
  readonly next: NextPages | null;
}

const asScript = (source: string) => source.replaceAll(/^\s+(?:\/\/.*|\/\*\*.*\*\/)?/gmu, "");
/** A function's source without its name: nothing in the page calls it by that. */
const nameless = (script: (...parameters: never[]) => unknown) => String(script).replace(/^function \w+/, "function");

/** Runs before the first paint, on pages that use the visitor's theme. */
const themeScript = asScript(`(${nameless(applyStoredTheme)})(${JSON.stringify(themes)})`);

/** Runs when the page is parsed: handles taps until React does. */
export const tapScript = asScript(
  `(${nameless(filterTaps)})();(${nameless(keepEarlyPress)})();(${nameless(firstAnswer)})(${[nextPagesId, pageDataId, appRootId].map((id) => JSON.stringify(id)).join()},${fade},${nameless(completedLink)})`,
);

/**
 * Runs at the same time: loads the page's modules. It is a separate script, because older browsers can read this one but not `tapScript`.
 */
const loadScript = asScript(
  `(${nameless(startAfterPaint)})(${[modulesId, nextPagesId, oldBrowserPath].map((name) => JSON.stringify(name)).join()})`,
);

/** The content security policy allows them by hash. */
export const inlineScripts: readonly string[] = [themeScript, tapScript, loadScript];

export function document(parts: DocumentParts): string {
  const { title, description, canonical } = parts;
  const pages = [parts.html, ...(parts.next?.pages ?? []).map(({ html }) => html)].join("");
  const classes = classesIn(pages);
  const theme = parts.themeOfVisitor ? null : parts.theme;
  const families = parts.styles.flatMap(({ sheet }) => fetchedFamilies(sheet));
  const styles = usedPart(
    parts.styles.map(({ sheet }) => withoutFamilies(criticalPart(sheet, classes, theme), families)),
    pages,
  );
  const head = [
    `<meta charset="utf-8">`,
    // The first paint waits for the whole screen, so that it takes one frame instead of four. Browsers wait only until the element begins, so it is the
    // one after the screen.
    `<link rel="expect" href="#${parts.afterFirstScreen ?? pageDataId}" blocking="render">`,
    // Before every style sheet, because a script waits for the sheets before it.
    parts.themeOfVisitor ? `<script>${themeScript}</script>` : "",
    `<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">`,
    `<title>${escapeHtml(title)}</title>`,
    description === null ? "" : `<meta name="description" content="${escapeHtml(description)}">`,
    parts.indexable ? "" : `<meta name="robots" content="noindex">`,
    ...parts.stylesheets.map((href) => `<link rel="stylesheet" href="${href}">`),
    // Browsers do not fetch a disabled link. `laterStyles.ts` enables it after hydration, and Vite's loader finds it and adds no second one.
    ...parts.styles.map(({ href }, at) =>
      parts.isPicture
        ? `<link rel="stylesheet" href="${href}">`
        : `<style>${styles[at]}</style><link disabled rel="stylesheet" href="${href}">`,
    ),
    canonical === null ? "" : `<link rel="canonical" href="${escapeHtml(canonical)}">`,
    ...parts.alternates.map(({ hreflang, href }) => `<link rel="alternate" hreflang="${hreflang}" href="${escapeHtml(href)}">`),
    ...(parts.sharing === null ? [] : sharingTags(parts, parts.sharing)),
    ...parts.structuredData.map((thing) => `<script type="application/ld+json">${dataBlock(thing)}</script>`),
    `<link rel="icon" href="/media/favicon.ico" sizes="32x32">`,
    `<link rel="icon" href="/media/favicon.svg" type="image/svg+xml">`,
    `<link rel="manifest" href="/manifest.webmanifest">`,
    `<link rel="apple-touch-icon" href="/media/apple-touch-icon.png">`,
    `<meta name="format-detection" content="telephone=no">`,
  ];
  // Visitors read the page before it is interactive, so scripts come after the markup.
  const last = [
    `<script>${tapScript}</script><script>${loadScript}</script>`,
    `<script type="application/json" id="${pageDataId}">${dataBlock(parts.data)}</script>`,
    parts.next === null ? "" : `<script type="application/json" id="${nextPagesId}">${dataBlock(parts.next)}</script>`,
    `<template id="${modulesId}">`,
    ...parts.modules.map((href) => `<link rel="modulepreload" fetchpriority="low" href="${href}">`),
    ...parts.returning.map((href) => `<link rel="modulepreload" fetchpriority="low" data-returning href="${href}">`),
    ...parts.scripts.map((src) => `<script type="module" fetchpriority="low" src="${src}"></script>`),
    "</template>",
  ];
  return `<!doctype html><html lang="${parts.locale}" data-theme="${parts.theme}"${parts.themeOfVisitor ? ' data-theme-of="visitor"' : ""}${parts.isPicture ? " data-picture" : ""}><head>${head.join("")}</head><body><div id="${appRootId}">${parts.html}</div>${last.join("")}</body></html>`;
}

const openGraphSize = { width: 1200, height: 630 };

/** Open Graph tags for messengers and social networks. */
function sharingTags(
  { locale, description, canonical }: DocumentParts,
  { title, siteName, image }: NonNullable<DocumentParts["sharing"]>,
): readonly string[] {
  const tags: readonly (readonly [string, string | null])[] = [
    ["og:type", "website"],
    ["og:site_name", siteName],
    ["og:title", title],
    ["og:description", description],
    ["og:url", canonical],
    // Social networks do not know `es-419`.
    ["og:locale", locale === "es-419" ? "es_LA" : locale.replace("-", "_")],
    ["og:image", image],
    ["og:image:width", String(openGraphSize.width)],
    ["og:image:height", String(openGraphSize.height)],
    ["og:image:alt", siteName],
  ];
  return [
    ...tags.flatMap(([property, content]) => (content === null ? [] : [`<meta property="${property}" content="${escapeHtml(content)}">`])),
    `<meta name="twitter:card" content="summary_large_image">`,
  ];
}

/** JSON that cannot close its script element. */
function dataBlock(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
