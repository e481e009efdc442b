/** Block types bundled with every page: those of first questions. The others load while the visitor reads the first question. */
export const ordinaryTypes = ["title", "description", "footnote", "paragraph", "paragraphs"] as const;
export type OrdinaryType = (typeof ordinaryTypes)[number];

export function isOrdinary(type: string): type is OrdinaryType {
  return ordinaryTypes.some((ordinary) => ordinary === type);
}
