/** Renders one content of a question, whatever its type. */
import type { ReactNode } from "react";
import type { BlockContent, BlockContentOf, BlockType } from "./specs.ts";
import type { BlockView, BlockViewProps } from "./view.ts";

/** The loaded views; `views.tsx` has all of them. */
export type BlockViews = { readonly [Type in BlockType]?: BlockView<BlockContentOf<Type>> };

/** A content, in an element with its type as an attribute. Throws when its view is not loaded. */
export function Block({ views, ...props }: BlockViewProps<BlockContent> & { readonly views: BlockViews }): ReactNode {
  return <div data-block={props.content.type}>{viewOf(views, props.content.type, props)}</div>;
}

function viewOf<Type extends BlockType>(views: BlockViews, type: Type, props: BlockViewProps<BlockContentOf<Type>>): ReactNode {
  const View: BlockView<BlockContentOf<Type>> | undefined = views[type];
  if (View === undefined) throw new Error(`The view of ${type} is not loaded`);
  return <View {...props} />;
}
