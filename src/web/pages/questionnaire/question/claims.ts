import type { BlockContent } from "#blocks/specs.ts";
import type { WebSite } from "../../../siteContext.tsx";
import { contentOf } from "./blocks.tsx";

const isClaim = (content: BlockContent) => content.type === "testimonial" || content.type === "appRating";

/** Removes the template's invented claims in production (decision 136). A screen with nothing else shows what holds before and after the plan. */
export function withoutInventedClaims(
  { client, t }: Pick<WebSite, "client" | "t">,
  contents: readonly BlockContent[],
): readonly BlockContent[] {
  if (client.examples || !contents.some(isClaim)) return contents;
  const own = contents.filter((content) => !(isClaim(content) && content.example));
  return own.some(isClaim) ? own : noClaims(t);
}

const noClaims = (t: WebSite["t"]): readonly BlockContent[] => {
  const items = [
    { type: "title", text: t("claims.none.title") },
    { type: "paragraph", text: t("claims.none.text") },
  ];
  return items.map(contentOf);
};
