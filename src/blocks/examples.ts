/** Every block's examples, for the gallery and the conformance tests. They are found by folder, so a new block needs no line here. */
import type { BlockExamples } from "./block.ts";
import type { BlockType } from "./specs.ts";

/** A content before parsing. The folders' own types are more precise. */
export type ExampleContent = { readonly type: string };

const found = import.meta.glob<BlockExamples<ExampleContent>>("./*/examples.ts", { eager: true, import: "examples" });

/** Throws for a block whose folder has no examples. */
export function examplesOf(type: BlockType): BlockExamples<ExampleContent> {
  const examples = found[`./${type}/examples.ts`];
  if (!examples) throw new Error(`blocks/${type}/examples.ts is missing`);
  return examples;
}
