/** The blocks bundled with every page: those of first questions. The others load while the visitor reads the first question. */
import type { BlockStatus } from "./block.ts";
import type { BlockPictures } from "./contents.ts";
import type { BlockContent } from "./specs.ts";

export const bundledTypes = ["title", "description", "footnote", "paragraph", "paragraphs"] as const;
export type BundledType = (typeof bundledTypes)[number];

export function isBundled(type: string): type is BundledType {
  return bundledTypes.some((bundled) => bundled === type);
}

/**
 * What `contentsBy` gives, for the bundled blocks only. It leaves out their schemas, which would make every first page larger: the build has already
 * validated the contents. These blocks have no defaults, no traits and no pictures, and always pass.
 */
export const bundledContents = {
  parseContent(item: { readonly type: string }): BlockContent {
    if (!isBundled(item.type)) throw new Error(`Unsupported content type: ${item.type}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    return item as BlockContent;
  },
  validateContents: (): BlockStatus => "pass",
  traitsOf: () => ({}),
  picturesOf: (): BlockPictures => ({ names: [], large: false }),
};

/** Whether a content is the heading of its question. */
export function isTitle<Content extends { readonly type: string }>(
  content: Content,
): content is Content & { readonly type: "title" | "title-sparkle" } {
  return content.type === "title" || content.type === "title-sparkle";
}
