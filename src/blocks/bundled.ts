/** Block types bundled with every page: those of first questions. The others load while the visitor reads the first question. */
export const bundledTypes = ["title", "description", "footnote", "paragraph", "paragraphs"] as const;
export type BundledType = (typeof bundledTypes)[number];

export function isBundled(type: string): type is BundledType {
  return bundledTypes.some((bundled) => bundled === type);
}
