/**
 * The blocks, in two portions: what the first questions hold comes with the page, the rest (bubbles, charts, plans, forms, films) is
 * fetched while the first question is read, or before a question that needs it is shown.
 */
import { Block as AnyBlock, type BlockViews } from "#blocks/Block.tsx";
import { type BlockPictures, contentsBy } from "#blocks/contents.ts";
import { spec as descriptionSpec } from "#blocks/description/spec.ts";
import { View as description } from "#blocks/description/view.tsx";
import { spec as footnoteSpec } from "#blocks/footnote/spec.ts";
import { View as footnote } from "#blocks/footnote/view.tsx";
import { spec as paragraphSpec } from "#blocks/paragraph/spec.ts";
import { View as paragraph } from "#blocks/paragraph/view.tsx";
import { spec as paragraphsSpec } from "#blocks/paragraphs/spec.ts";
import { View as paragraphs } from "#blocks/paragraphs/view.tsx";
import type { BundledType } from "#blocks/bundled.ts";
import type { BlockContent, BlockSpecs } from "#blocks/specs.ts";
import { spec as titleSpec } from "#blocks/title/spec.ts";
import { View as title } from "#blocks/title/view.tsx";
import type { BlockViewProps } from "#blocks/view.ts";
import type { StudySchedule } from "#core/questionnaire/definition.ts";
import type { FunctionComponent, ReactNode } from "react";
import { wholeContent } from "../../../laterContents.ts";
import type { WebSite } from "../../../siteContext.tsx";
import type { Needs, wayOnward as wayOnwardOf } from "./onward.ts";
import type { prefetchFollowing } from "./prefetch.ts";

interface Portion {
  readonly contents: Pick<ReturnType<typeof contentsBy>, "parseContent" | "validateContents" | "traitsOf" | "picturesOf">;
  readonly views: BlockViews;
  /** Comes with the other blocks. */
  readonly prefetch?: typeof prefetchFollowing;
  readonly WithoutAccount?: FunctionComponent;
  readonly wayOnward?: typeof wayOnwardOf;
}

const bundled: Portion = {
  contents: contentsBy({
    title: titleSpec,
    description: descriptionSpec,
    footnote: footnoteSpec,
    paragraph: paragraphSpec,
    paragraphs: paragraphsSpec,
  } satisfies Pick<BlockSpecs, BundledType>),
  views: { title, description, footnote, paragraph, paragraphs } satisfies Pick<BlockViews, BundledType>,
};
let blocks: Portion = bundled;

async function otherBlocks(): Promise<Portion> {
  const others = await import("./otherBlocks.ts");
  const { parseContent, validateContents, traitsOf, picturesOf } = others;
  const { blockViews: views, prefetchFollowing: prefetch, WithoutAccount, wayOnward } = others;
  return { contents: { parseContent, validateContents, traitsOf, picturesOf }, views, prefetch, WithoutAccount, wayOnward };
}

/** Makes every block available, with the contents that need it. What did not come is asked for again at the next call. */
export async function loadOtherBlocks({ laterContents }: WebSite): Promise<void> {
  [blocks] = await Promise.all([blocks === bundled ? otherBlocks() : blocks, laterContents()]);
}

/** Fetches the other blocks, then the pictures of the questions that can follow. */
export async function fetchAhead(site: WebSite, questionId: number): Promise<void> {
  await loadOtherBlocks(site);
  blocks.prefetch?.(site.session.compiled, questionId, site.locale, picturesOf);
}

const parsed = new WeakMap<object, BlockContent>();

/** A content item as its block's type says; checked once. Its block must have been loaded. Throws for a type that does not exist (spec 001 §2). */
export function contentOf(item: { readonly type: string }): BlockContent {
  const known = parsed.get(item);
  if (known !== undefined) return known;
  const content = blocks.contents.parseContent(wholeContent(item));
  parsed.set(item, content);
  return content;
}

export const validateContents: Portion["contents"]["validateContents"] = (...contents) => blocks.contents.validateContents(...contents);

/** What the blocks of contents say of themselves. */
export const traitsOf: Portion["contents"]["traitsOf"] = (content) => blocks.contents.traitsOf(content);

/** The pictures of a content's block; none of a block that was not loaded. */
export function picturesOf(item: { readonly type: string }, schedules: readonly StudySchedule[]): BlockPictures {
  if (!Object.hasOwn(blocks.views, item.type)) return { names: [], large: false };
  const content = contentOf(item);
  return blocks.contents.picturesOf(content.type, content, schedules);
}

/** One content of a question. Its block must have been loaded. */
export function Block(props: BlockViewProps<BlockContent>): ReactNode {
  return <AnyBlock {...props} views={blocks.views} />;
}

/** In the place of what is sold, whose block came with it. */
export function WithoutAccount(): ReactNode {
  return blocks.WithoutAccount && <blocks.WithoutAccount />;
}

/** Where a question only leads on to: only what comes with the other blocks needs anything. */
export function wayOnward(site: WebSite, needs: Needs): string | null {
  return blocks.wayOnward?.(site, needs) ?? null;
}
