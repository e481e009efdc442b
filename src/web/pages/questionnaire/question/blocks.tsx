/**
 * The blocks in two bundles. The blocks of the first questions come with the page. The others (bubbles, charts, plans, forms, videos) load
 * while the visitor reads the first question, or before a question that needs them.
 */
import { Block as AnyBlock, type BlockViews } from "#blocks/Block.tsx";
import type { BlockPictures, contentsBy } from "#blocks/contents.ts";
import { View as description } from "#blocks/description/view.tsx";
import { View as footnote } from "#blocks/footnote/view.tsx";
import { View as paragraph } from "#blocks/paragraph/view.tsx";
import { View as paragraphs } from "#blocks/paragraphs/view.tsx";
import { bundledContents, type BundledType } from "#blocks/bundled.ts";
import type { BlockContent } from "#blocks/specs.ts";
import { View as title } from "#blocks/title/view.tsx";
import type { BlockViewProps } from "#blocks/view.ts";
import type { Question, StudySchedule } from "#core/questionnaire/definition.ts";
import type { FunctionComponent, ReactNode } from "react";
import type { WebSite } from "../../../siteContext.tsx";
import type { LaterSite, laterSite as laterSiteOf, LaterSiteInput } from "./laterSite.ts";
import type { Needs, questionRedirect as questionRedirectOf } from "./redirect.ts";
import type { prefetchFollowing } from "./prefetch.ts";

interface Portion {
  readonly contents: Pick<ReturnType<typeof contentsBy>, "parseContent" | "validateContents" | "traitsOf" | "picturesOf">;
  readonly views: BlockViews;
  /** Loads with the other blocks. */
  readonly prefetch?: typeof prefetchFollowing;
  readonly WithoutAccount?: FunctionComponent<{ readonly questionId: number }>;
  readonly questionRedirect?: typeof questionRedirectOf;
  readonly laterSite?: typeof laterSiteOf;
}

const bundled: Portion = {
  contents: bundledContents,
  views: { title, description, footnote, paragraph, paragraphs } satisfies Pick<BlockViews, BundledType>,
};
let blocks: Portion = bundled;

async function otherBlocks(): Promise<Portion> {
  const others = await import("./otherBlocks.ts");
  const { parseContent, validateContents, traitsOf, picturesOf } = others;
  const { blockViews: views, prefetchFollowing: prefetch, WithoutAccount, questionRedirect, laterSite } = others;
  return {
    contents: { parseContent, validateContents, traitsOf, picturesOf },
    views,
    prefetch,
    WithoutAccount,
    questionRedirect,
    laterSite,
  };
}

/** Loads the other blocks and the later contents. After a failure the next call tries again. */
export async function loadOtherBlocks({ laterContents }: WebSite): Promise<void> {
  [blocks] = await Promise.all([blocks === bundled ? otherBlocks() : blocks, laterContents()]);
}

/** Loads the other blocks, then prefetches the pictures of the questions that can follow. */
export async function prefetchAhead(site: WebSite, questionId: number): Promise<void> {
  await loadOtherBlocks(site);
  blocks.prefetch?.(site.session.compiled, questionId, site.locale, picturesOf);
}

const parsed = new WeakMap<object, BlockContent>();

/** Validates a content item by its block's type, once. The block must be loaded. Throws for an unknown type (spec 001 §2). */
export function contentOf(item: { readonly type: string }): BlockContent {
  const known = parsed.get(item);
  if (known !== undefined) return known;
  const content = blocks.contents.parseContent(item);
  parsed.set(item, content);
  return content;
}

export const validateContents: Portion["contents"]["validateContents"] = (...contents) => blocks.contents.validateContents(...contents);

/** The traits of a content's block. */
export const traitsOf: Portion["contents"]["traitsOf"] = (content) => blocks.contents.traitsOf(content);

/** The pictures of a content's block; none if the block is not loaded. */
export function picturesOf(item: { readonly type: string }, schedules: readonly StudySchedule[]): BlockPictures {
  if (!Object.hasOwn(blocks.views, item.type)) return { names: [], large: false };
  const content = contentOf(item);
  return blocks.contents.picturesOf(content.type, content, schedules);
}

/** Renders one content of a question. Its block must be loaded. */
export function Block(props: BlockViewProps<BlockContent>): ReactNode {
  return <AnyBlock {...props} views={blocks.views} />;
}

/** Replaces plans and payment. It loads with their blocks. */
export function WithoutAccount(props: { readonly questionId: number }): ReactNode {
  return blocks.WithoutAccount && <blocks.WithoutAccount {...props} />;
}

/** The address that the question redirects to, or null. Only questions with the other blocks can redirect. */
export function questionRedirect(site: WebSite, questionId: number, needs: Needs): string | null {
  return blocks.questionRedirect?.(site, questionId, needs) ?? null;
}

/** Without values until the other blocks have loaded. Until then nothing reads formats and plan (`usesValues`). */
export function laterSite(input: LaterSiteInput): LaterSite {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return blocks.laterSite?.(input) ?? ({ values: {} } as LaterSite);
}

/** Whether a text of the question has placeholders. Their values load with the other blocks. */
export function usesValues(question: Question): boolean {
  return /\["(arg|plural|select)",/.test(JSON.stringify(question));
}
