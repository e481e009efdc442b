/** Functions over contents, for a given table of specs: all blocks (`specs.ts`), or only the bundled ones. */
import * as v from "valibot";
import type { BlockInput, BlockSpec, BlockStatus } from "./block.ts";
import type { StudySchedule } from "#core/questionnaire/definition.ts";
import type { BlockContent, BlockContentOf, BlockSpecs, BlockType } from "./specs.ts";

export interface BlockPictures {
  readonly names: readonly string[];
  readonly large: boolean;
}

export function contentsBy(specs: Partial<BlockSpecs>) {
  const isKnown = (type: string): type is BlockType => Object.hasOwn(specs, type);

  function specOf<Type extends BlockType>(type: Type): BlockSpecs[Type] {
    const spec: BlockSpecs[Type] | undefined = specs[type];
    if (spec === undefined) throw new Error(`Unsupported content type: ${type}`);
    return spec;
  }

  /** Validates a content item and fills in its defaults. Throws for an unknown type, naming it (spec 001 §2), and for unknown fields. */
  function parseContent(item: { readonly type: string }): BlockContent {
    if (!isKnown(item.type)) throw new Error(`Unsupported content type: ${item.type}`);
    return v.parse(specOf(item.type).schema, item);
  }

  function validateContent<Type extends BlockType>(type: Type, content: BlockContentOf<Type>, input: BlockInput): BlockStatus {
    return specOf(type).validate(content, input);
  }

  /**
   * The status of a whole question: block if any block blocks, else fail if any fails (spec 001 §4). `done` tells which contents have
   * ended.
   */
  function validateContents(
    contents: readonly BlockContent[],
    input: Omit<BlockInput, "done">,
    done: (index: number) => boolean,
  ): BlockStatus {
    const statuses = contents.map((content, index) => validateContent(content.type, content, { ...input, done: done(index) }));
    return statuses.find((status) => status === "block") ?? statuses.find((status) => status === "fail") ?? "pass";
  }

  /** The traits that a content's block declares. */
  function traitsOf({ type }: BlockContent): Pick<BlockSpec, "needs" | "submits"> {
    return specOf(type);
  }

  /** The pictures that a content's block shows in addition to those in the content, and whether its pictures are large. */
  function picturesOf<Type extends BlockType>(
    type: Type,
    content: BlockContentOf<Type>,
    schedules: readonly StudySchedule[],
  ): BlockPictures {
    const { pictures, largePictures } = specOf(type);
    return { names: pictures?.(content, schedules) ?? [], large: largePictures?.(content) ?? false };
  }

  return { parseContent, validateContent, validateContents, traitsOf, picturesOf };
}
