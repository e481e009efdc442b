/** The blocks that come with a page: what first questions hold. The others are fetched while the first question is read. */
export const ordinaryTypes = ["title", "description", "footnote", "paragraph", "paragraphs"] as const;
export type OrdinaryType = (typeof ordinaryTypes)[number];

export function isOrdinary(type: string): type is OrdinaryType {
  return ordinaryTypes.some((ordinary) => ordinary === type);
}
