/**
 * The blocks' views, in two portions: what the first questions show comes with the page, the rest (bubbles, charts, plans, forms, films) is
 * fetched while the first question is read, or before a question that needs it is shown.
 */
import type { BlockContent, BlockContentOf, BlockType } from "#blocks/specs.ts";
import type { BlockView, BlockViewProps } from "#blocks/view.ts";
import { View as description } from "#blocks/description/view.tsx";
import { View as footnote } from "#blocks/footnote/view.tsx";
import { View as paragraph } from "#blocks/paragraph/view.tsx";
import { View as paragraphs } from "#blocks/paragraphs/view.tsx";
import { View as title } from "#blocks/title/view.tsx";
import type { Question } from "#core/questionnaire/definition.ts";
import type { ReactNode } from "react";

type Views = { readonly [Type in BlockType]?: BlockView<BlockContentOf<Type>> };

const ordinary: Views = { title, description, footnote, paragraph, paragraphs };
let views: Views = ordinary;

/** Where the other portion comes from, as the build's manifest calls it. */
export const otherViewsSource = "src/blocks/views.tsx";

export function needsOtherViews(question: Question): boolean {
  return question.contents.some(({ type }) => !Object.hasOwn(ordinary, type));
}

/** Makes every view available; at once after the first time. */
export async function loadOtherViews(): Promise<void> {
  if (views === ordinary) views = (await import("#blocks/views.tsx")).blockViews;
}

/** One content of a question in the element that says what it is. Its view must have been loaded. */
export function Block(props: BlockViewProps<BlockContent>): ReactNode {
  return <div data-block={props.content.type}>{viewOf(props.content.type, props)}</div>;
}

function viewOf<Type extends BlockType>(type: Type, props: BlockViewProps<BlockContentOf<Type>>): ReactNode {
  const View: BlockView<BlockContentOf<Type>> | undefined = views[type];
  if (View === undefined) throw new Error(`The view of ${type} is not loaded`);
  return <View {...props} />;
}
