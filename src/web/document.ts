/** The document around a rendered page, as text: React hydrates only what is inside the root, so whatever in-app browsers put into head or body disturbs nothing. */
import type { Locale } from "#core/locales.ts";
import { type Theme, themes } from "#core/questionnaire/definition.ts";
import { startAfterPaint } from "./afterPaint.ts";
import type { PageAssets } from "./assets.ts";
import { classesIn, criticalPart, usedPart } from "./criticalStyle.ts";
import { firstAnswer, type NextPages } from "./firstAnswer.ts";
import { wearStoredTheme } from "./look.ts";
import { appRootId, fade, modulesId, nextPagesId, pageDataId, type PageData } from "./page.ts";
import { oneTapOneAnswer } from "./taps.ts";

export interface DocumentParts {
  readonly locale: Locale;
  readonly theme: Theme;
  /** The page belongs to no version: it wears what its visitor's funnel wore (`look.ts`), and this theme where none is known. */
  readonly themeOfVisitor: boolean;
  /** The studio's picture of a page: nothing in it says that no script runs. */
  readonly isPicture: boolean;
  readonly title: string;
  readonly description: string | null;
  readonly indexable: boolean;
  readonly canonical: string | null;
  readonly alternates: readonly { readonly hreflang: string; readonly href: string }[];
  /** How the page shows when it is shared; null for what nobody should share. */
  readonly sharing: { readonly title: string; readonly siteName: string; readonly image: string } | null;
  /** JSON-LD: data, not a script, so the content security policy lets it be. */
  readonly structuredData: readonly object[];
  readonly stylesheets: readonly string[];
  /** Style sheets that come inside the page: of each, what the page paints. */
  readonly styles: PageAssets["styles"];
  readonly modules: readonly string[];
  /** Modules to run, in order. */
  readonly scripts: readonly string[];
  readonly data: PageData;
  /** The page as React rendered it. */
  readonly html: string;
  /** What its options lead to; null where they are links only. */
  readonly next: NextPages | null;
}

const asScript = (source: string) => source.replaceAll(/^\s+(?:\/\/.*|\/\*\*.*\*\/)?/gmu, "");

/** Runs before anything is painted, on pages that wear their visitor's theme. */
const themeScript = asScript(`(${wearStoredTheme})(${JSON.stringify(themes)})`);

/** Runs once the page has been read and before it is painted: takes taps until React does, then starts what React needs. */
export const tapScript = asScript(
  `(${oneTapOneAnswer})();(${firstAnswer})(${[nextPagesId, pageDataId, appRootId].map((id) => JSON.stringify(id)).join()},${fade});(${startAfterPaint})(${JSON.stringify(modulesId)},${JSON.stringify(nextPagesId)})`,
);

/** The content security policy names their hashes. */
export const inlineScripts: readonly string[] = [themeScript, tapScript];

const tapScriptId = "taps";

export function document(parts: DocumentParts): string {
  const { title, description, canonical } = parts;
  const pages = [parts.html, ...(parts.next?.pages ?? []).map(({ html }) => html)].join("");
  const classes = classesIn(pages);
  const theme = parts.themeOfVisitor ? null : parts.theme;
  const styles = usedPart(
    parts.styles.map(({ sheet }) => criticalPart(sheet, classes, theme)),
    pages,
  );
  const head = [
    `<meta charset="utf-8">`,
    // One frame, not two: painting waits until the whole page has been read.
    `<link rel="expect" href="#${tapScriptId}" blocking="render">`,
    // Before any style sheet: a script after one waits for it.
    parts.themeOfVisitor ? `<script>${themeScript}</script>` : "",
    `<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">`,
    `<title>${escape(title)}</title>`,
    description === null ? "" : `<meta name="description" content="${escape(description)}">`,
    parts.indexable ? "" : `<meta name="robots" content="noindex">`,
    ...parts.stylesheets.map((href) => `<link rel="stylesheet" href="${href}">`),
    // A disabled link is not fetched: the whole sheet comes once the page is alive (`laterStyles.ts`), and the module loader knows of it.
    ...parts.styles.map(({ href }, at) => `<style>${styles[at]}</style><link disabled rel="stylesheet" href="${href}">`),
    canonical === null ? "" : `<link rel="canonical" href="${escape(canonical)}">`,
    ...parts.alternates.map(({ hreflang, href }) => `<link rel="alternate" hreflang="${hreflang}" href="${escape(href)}">`),
    ...(parts.sharing === null ? [] : sharingTags(parts, parts.sharing)),
    ...parts.structuredData.map((thing) => `<script type="application/ld+json">${dataBlock(thing)}</script>`),
    `<link rel="icon" href="/media/favicon.ico" sizes="32x32">`,
    `<link rel="icon" href="/media/favicon.svg" type="image/svg+xml">`,
    `<link rel="manifest" href="/manifest.webmanifest">`,
    `<link rel="apple-touch-icon" href="/media/apple-touch-icon.png">`,
    `<meta name="format-detection" content="telephone=no">`,
  ];
  // The page is read before it is alive: what it runs comes after what paints it.
  const last = [
    `<script id="${tapScriptId}">${tapScript}</script>`,
    `<script type="application/json" id="${pageDataId}">${dataBlock(parts.data)}</script>`,
    parts.next === null ? "" : `<script type="application/json" id="${nextPagesId}">${dataBlock(parts.next)}</script>`,
    `<template id="${modulesId}">`,
    ...parts.modules.map((href) => `<link rel="modulepreload" fetchpriority="low" href="${href}">`),
    ...parts.scripts.map((src) => `<script type="module" fetchpriority="low" src="${src}"></script>`),
    "</template>",
  ];
  return `<!doctype html><html lang="${parts.locale}" data-theme="${parts.theme}"${parts.themeOfVisitor ? ' data-theme-of="visitor"' : ""}${parts.isPicture ? " data-picture" : ""}><head>${head.join("")}</head><body><div id="${appRootId}">${parts.html}</div>${last.join("")}</body></html>`;
}

const openGraphSize = { width: 1200, height: 630 };

/** Open Graph, which the messengers and networks read. */
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
    // `es-419` has no form that the networks know.
    ["og:locale", locale === "es-419" ? "es_LA" : locale.replace("-", "_")],
    ["og:image", image],
    ["og:image:width", String(openGraphSize.width)],
    ["og:image:height", String(openGraphSize.height)],
    ["og:image:alt", siteName],
  ];
  return [
    ...tags.flatMap(([property, content]) => (content === null ? [] : [`<meta property="${property}" content="${escape(content)}">`])),
    `<meta name="twitter:card" content="summary_large_image">`,
  ];
}

/** JSON that cannot end its script element early. */
function dataBlock(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
