import { consentCategories } from "#core/consent.ts";
import { type Language, type Locale, locales, localeTraits } from "#core/locales.ts";
import { plainText } from "#core/text.ts";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { uiTexts } from "../texts/ui.ts";
import { compileLegal } from "./compile.ts";
import { isLegalRoute, legalRoutes, legalTypes } from "./documents.ts";
import { providers } from "./providers.ts";

const packages = new Map([["MIT", ["react", "valibot"]]]);
const rows = legalTypes.flatMap((type) => locales.map((locale) => ({ type, locale })));

function sourceOf(type: string, locale: Locale): Promise<string> {
  return readFile(new URL(`${locale}/${type}.md`, import.meta.url), "utf8");
}

/** Matches whole words, also those that begin or end with an accented letter. */
function words(list: string, flags = "iu"): RegExp {
  return new RegExp(`(?<![\\p{L}-])(${list.replaceAll(" ", "|")})(?!\\p{L})`, flags);
}

/** Common words that only one of the languages has. */
const everyday: Readonly<Record<Language, RegExp>> = {
  en: words("the and your with which our"),
  es: words("los las tus cuando puedes según"),
  pt: words("você não são uma pelo"),
  it: words("che gli della sono puoi anche"),
  de: words("und nicht dein deine wir für"),
};

/** Words of the language's other variant (Spain's in a text for Latin America), and of the formal address, which we do not use. */
const foreign: Readonly<Record<Locale, RegExp>> = {
  "en-US": words("licence organisation whilst programme"),
  "es-419": words("usted vosotros vuestro vuestra ordenador móvil iconos"),
  "es-ES": words("usted ustedes celular computadora íconos comprobante"),
  "pt-BR": words("tu teu teus vosso ecrã telemóvel utilizador"),
  "it-IT": words("Lei Suo Suoi voi vostro vostra", "u"),
  "de-DE": words("Ihnen Ihr Ihre Ihrem Ihren Ihrer", "u"),
};

/** The prose of a source, without titles, web addresses, code and italic terms. */
function prose(source: string): string {
  return source
    .replace(/<!--.*?-->/g, "")
    .replace(/©[^,.]*/g, "")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/`[^`]*`/g, "code")
    .replace(/Lucide Icons and Contributors|Merchant of Record/g, "");
}

/** The paragraphs, list items, rows and quotations of each section, in order. */
async function clausesOf(type: string, locale: Locale): Promise<readonly string[]> {
  const { html } = compileLegal(await sourceOf(type, locale), locale, packages);
  const sections = html.split("<h2").slice(1);
  return sections.map(
    (section, index) => `${index + 1}: ${[...section.matchAll(/<(p|li|tr|blockquote|h3)\b/g)].map(([, tag]) => tag).join(" ")}`,
  );
}

/**
 * Law that only one locale cites: consent to storage on the device, the right to object, Brazil's data protection officer and right of
 * withdrawal.
 */
const ownLaw =
  /§ 25 Abs\. \d( Nr\. 2)? TDDDG|art\. 122 del Codice privacy|art\. 22\.2 LSSI|artigo 41 da LGPD|em até 7 dias a contar.*?artigo 49|\(Art\. 21 DSGVO\)|articolo 65-bis: se 30 giorni|not directed to children under 13|anyone under 16|con al menos 15 días de antelación/g;

/** The periods, sums and articles of law in each section, in ascending order. 24,240 and 24.240 are the same number. */
async function figuresOf(type: string, locale: Locale): Promise<readonly string[]> {
  const sections = prose(await sourceOf(type, locale))
    .replace(ownLaw, "")
    .split("\n## ")
    .slice(1);
  return sections.map((section, index) => {
    const numbers = section.replace(/(?<=\d)[.,](?=\d{3}(?!\d))/g, "").match(/\d+/g) ?? [];
    return `${index + 1}: ${numbers.toSorted((a, b) => Number(a) - Number(b)).join(" ")}`;
  });
}

describe.each(rows)("$type in $locale", ({ type, locale }) => {
  it("compiles to a page with at least five sections and no unfilled placeholder", async () => {
    const { html, sections, updated } = compileLegal(await sourceOf(type, locale), locale, packages);
    expect(sections.length).toBeGreaterThanOrEqual(5);
    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
    expect(Date.parse(updated)).not.toBeNaN();
    expect(html).not.toMatch(/[{}]|undefined|template:|counsel/);
  });

  it("has as many sections as the English document, numbered in order", async () => {
    const { sections } = compileLegal(await sourceOf(type, locale), locale, packages);
    const english = compileLegal(await sourceOf(type, "en-US"), "en-US", packages);
    expect(sections).toHaveLength(english.sections.length);
    expect(sections.map(({ title }) => Number.parseInt(title, 10))).toEqual(sections.map((_, index) => index + 1));
  });

  it("has the same clauses as the English document, in the same order", async () => {
    expect(await clausesOf(type, locale)).toEqual(await clausesOf(type, "en-US"));
  });

  it("gives the same periods and articles as the English document, apart from the country's own law", async () => {
    // Latin America's documents cite their own legal bases instead of the GDPR's.
    const ownBases = type === "privacy-policy" && (locale === "es-419" || locale === "pt-BR");
    const shared = async (one: Locale) => (await figuresOf(type, one)).filter((figures) => !(ownBases && figures.startsWith("3:")));
    expect(await shared(locale)).toEqual(await shared("en-US"));
  });

  it("calls the other documents by their titles", async () => {
    const texts = uiTexts(locale);
    for (const [, name = "", route = ""] of (await sourceOf(type, locale)).matchAll(/\[([^\]]+)\]\((legal\/[^)]+)\)/g)) {
      const title = isLegalRoute(route) ? plainText(texts[`meta.legal/${legalRoutes[route]}.title`], {}, localeTraits[locale].intl) : "";
      // A title may end with its short form in brackets.
      expect(title.toLowerCase().split(/ \(|\)/)).toContain(name.toLowerCase());
    }
  });

  it("fills in the same facts as the English document", async () => {
    const named = (source: string) => [...new Set(source.match(/\{[A-Z_]+\}/g))].toSorted();
    expect(named(await sourceOf(type, locale))).toEqual(named(await sourceOf(type, "en-US")));
  });

  it("is in one language, one variant and one form of address", async () => {
    const text = prose(await sourceOf(type, locale));
    for (const [language, said] of Object.entries(everyday)) {
      if (locale.startsWith(language)) expect(text).toMatch(said);
      else expect(text).not.toMatch(said);
    }
    expect(text).not.toMatch(foreign[locale]);
    expect(text).not.toMatch(/\w'\w| {2}|\.\.\./);
  });
});

it("calls the cookie settings and the subscription page by their names in the interface", async () => {
  for (const locale of locales) {
    const texts = uiTexts(locale);
    expect(await sourceOf("privacy-policy", locale)).toContain(texts["consent.settings"]);
    expect(await sourceOf("marketing-and-advertising-networks", locale)).toContain(texts["consent.settings"]);
    expect(await sourceOf("terms-and-conditions", locale)).toContain(texts["shell.nav.subscription"]);
  }
});

it("calls the consent categories by their names in the cookie settings", async () => {
  for (const locale of locales)
    for (const category of consentCategories) {
      // American English puts a comma or full stop inside the quotation marks.
      const named = new RegExp(`[“„«]${uiTexts(locale)[`consent.${category}`]}[,.]?[”“»]`);
      expect(await sourceOf("privacy-policy", locale)).toMatch(named);
      expect(await sourceOf("service-providers", locale)).toMatch(named);
    }
});

it("names all service providers", async () => {
  const sources = await Promise.all(legalTypes.map((type) => sourceOf(type, "en-US")));
  for (const role of Object.keys(providers)) expect(sources.join("")).toContain(`{${role}}`);
});

describe("compiling a document", () => {
  const head = "<!-- template: have it reviewed by counsel -->\n<!-- updated: 2026-11-20 -->\n\n";
  const html = (markdown: string) => compileLegal(head + markdown, "de-DE", packages).html;

  it("lists the second-level headings as the table of contents, each with an id of its own", () => {
    const { sections } = compileLegal(`${head}## 1. Größe & Maß\n\n### Mehr\n\n## 2. Größe & Maß`, "de-DE", packages);
    expect(sections).toEqual([
      { id: "grosse-mass", title: "1. Größe & Maß" },
      { id: "grosse-mass-2", title: "2. Größe & Maß" },
    ]);
  });

  it("turns a legal route's name into its address in the reader's language", () => {
    expect(html("[Datenschutz](legal/privacy)")).toContain('<a href="/de/rechtliches/datenschutzerklaerung/">Datenschutz</a>');
  });

  it("writes the date and the countries in the reader's language", () => {
    expect(html("{AUTHORITIES_EUROPE}")).toMatch(
      /20\.\u00a0November 2026.*<strong>Österreich<\/strong>: Österreichische Datenschutzbehörde, Barichgasse/s,
    );
  });

  it.each([
    ["raw HTML", "Text <b>fett</b>", /raw HTML/],
    ["a script", "<script>alert(1)</script>", /raw HTML/],
    ["a comment", "Text\n\n<!-- note -->", /raw HTML/],
    ["an unknown placeholder", "{NOBODY}", /Unknown placeholder/],
    ["a link that runs code", "[x](javascript:alert(1))", /cannot link/],
    ["a link without encryption", "[x](http://example.com)", /cannot link/],
  ])("refuses %s", (_, markdown, message) => {
    expect(() => html(markdown)).toThrow(message);
  });

  it("never ends a line within “E-Mail”", () => {
    expect(html("## 1. A\n\n- Eine **E-Mail** an die E-Mail-Adresse & mehr")).toContain(
      '<li>Eine <strong><span class="nw">E-Mail</span></strong> an die <span class="nw">E-Mail-Adresse</span> &amp; mehr</li>',
    );
  });

  it("refuses a source without the template comment", () => {
    expect(() => compileLegal("## 1. Text", "de-DE", packages)).toThrow(/two comments/);
  });
});
