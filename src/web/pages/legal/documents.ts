/** Loads legal documents on the server. Browsers never load them: they keep the server's HTML. */
import type { LegalType } from "#content/legal/documents.ts";
import type { Locale } from "#core/locales.ts";

const documents = import.meta.env.SSR ? import.meta.glob<string>("../../../content/legal/*/*.md", { import: "default" }) : {};
const loaded = new Map<string, string>();

function fileOf(type: LegalType, locale: Locale): string {
  return `../../../content/legal/${locale}/${type}.md`;
}

/** Loads a document's HTML for `legalBody`. If it fails, the text stays empty (spec 001 §8). */
export async function loadLegalBody(type: LegalType, locale: Locale): Promise<void> {
  const file = fileOf(type, locale);
  try {
    const html = await documents[file]?.();
    if (html !== undefined) loaded.set(file, html);
  } catch (error) {
    console.warn(`The document ${type} did not load in ${locale}`, error);
  }
}

/** A loaded document's HTML without its heading; empty if it is not loaded. */
export function legalBody(type: LegalType, locale: Locale): string {
  return loaded.get(fileOf(type, locale)) ?? "";
}
