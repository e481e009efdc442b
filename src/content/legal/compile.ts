/**
 * Compiles a legal document's Markdown into the HTML below the page's heading. Runs in builds, the development server and tests, never per request.
 */
import { escapeHtml } from "#core/escapeHtml.ts";
import { formatsFor } from "#core/formats.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { unbreakable, plainText } from "#core/text.ts";
import { Marked } from "marked";
import { isLinked } from "./documents.ts";
import { legalFacts, type PackagesByLicence } from "./facts.ts";
import { type UiKey, uiTexts } from "../texts/ui.ts";

export interface Section {
  readonly id: string;
  readonly title: string;
}

export interface LegalDocument {
  /** YYYY-MM-DD */
  readonly updated: string;
  /** Its h2 headings, in order. */
  readonly sections: readonly Section[];
  /** Date, table of contents (for phones and for wide pages) and text. */
  readonly html: string;
}

const words = new RegExp(unbreakable, "giu");

/** The required first lines of every source; the page shows neither. */
const head = /^<!-- template: have it reviewed by counsel -->\n<!-- updated: (\d{4}-\d\d-\d\d) -->\n/;

/**
 * Compiles a source in one locale. Throws on a missing head, an unknown placeholder, raw HTML, and a link that is neither a route name
 * (`legal/privacy`, `contract/cancel`) nor `https:` nor `mailto:`.
 */
export function compileLegal(source: string, locale: Locale, packages: PackagesByLicence): LegalDocument {
  const updated = head.exec(source)?.[1];
  if (updated === undefined) throw new Error("A legal document starts with its two comments: template, updated");
  const facts = legalFacts(locale, packages);
  const markdown = source.replace(head, "").replace(/\{([A-Z_]+)\}/g, (_, name: string) => {
    const fact = facts[name];
    if (fact === undefined) throw new Error(`Unknown placeholder {${name}}`);
    return fact;
  });

  const sections: Section[] = [];
  const ids = new Set<string>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = freeId(text, ids);
        if (depth === 2) sections.push({ id, title: text });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = isLinked(href) ? buildPath(href, locale) : href;
        if (!/^(\/|https:|mailto:)/.test(target)) throw new Error(`A legal document cannot link to ${href}`);
        return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`;
      },
      text(token) {
        if ("tokens" in token && token.tokens) return this.parser.parseInline(token.tokens);
        return escapeHtml(token.text).replace(words, `<span class="nw">$1</span>`);
      },
      html({ text }) {
        throw new Error(`A legal document cannot contain raw HTML: ${text.slice(0, 40)}`);
      },
    },
  });
  const body = marked.parse(markdown, { async: false });

  const text = (key: UiKey) => escapeHtml(plainText(uiTexts(locale)[key], {}, localeTraits[locale].intl));
  const contents = `<ol>${sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join("")}</ol>`;
  const html = [
    `<p data-part="updated">${text("legal.updated")} <time datetime="${updated}">${formatsFor(locale).longDate(updated)}</time></p>`,
    `<details data-part="contents"><summary>${text("legal.contents")}</summary>${contents}</details>`,
    `<aside data-part="aside"><nav aria-labelledby="legal-contents"><p id="legal-contents">${text("legal.contents")}</p>${contents}</nav></aside>`,
    // A wide table scrolls by itself and is reachable by keyboard.
    `<div data-part="text">${body.replaceAll("<table>", `<div data-part="table" tabindex="0"><table>`).replaceAll("</table>", "</table></div>")}</div>`,
  ].join("");
  return { updated, sections, html };
}

/** "13. Datenübermittlung" → `datenubermittlung`, with a number appended if the id is taken. */
function freeId(title: string, taken: Set<string>): string {
  const word = title
    .replace(/^\d+\.\s*/, "")
    .replaceAll("ß", "ss")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  let id = word;
  for (let number = 2; taken.has(id); number++) id = `${word}-${number}`;
  taken.add(id);
  return id;
}
