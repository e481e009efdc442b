import * as v from "valibot";
import { expect, it } from "vitest";
import { iconName, mark, marked, pictureName, questionId } from "./marks.ts";
import { textOrEmpty, textSchema } from "./textSchema.ts";

const block = v.pipe(v.looseObject({ type: v.string() }), mark("block"));
interface Tree {
  readonly icon: string;
  readonly branches: readonly Tree[];
}
const tree: v.GenericSchema<Tree> = v.object({ icon: iconName, branches: v.array(v.lazy(() => tree)) });
const schema = v.strictObject({
  title: textSchema,
  hint: v.optional(textOrEmpty),
  note: v.optional(v.string()),
  picture: v.nullable(pictureName),
  blocks: v.array(block),
  cells: v.array(
    v.union([
      v.strictObject({ is: v.literal("text"), content: textSchema }),
      v.strictObject({ is: v.literal("link"), content: questionId }),
    ]),
  ),
  tree,
});
const data = {
  title: [["arg", "NAME"]],
  hint: "",
  note: "title",
  picture: "wave",
  blocks: [
    { type: "image", alt: "A wave" },
    { type: "unheard", alt: "x" },
  ],
  cells: [
    { is: "text", content: "seven" },
    { is: "link", content: 7 },
  ],
  tree: { icon: "oak", branches: [{ icon: "elm", branches: [] }] },
};
const found = (value: unknown, blockSchema?: (type: string) => v.GenericSchema | undefined) =>
  marked(schema, value, blockSchema).map(({ mark: is, path, value: at, mayBeEmpty }) => [
    is,
    path.join("."),
    at,
    ...(mayBeEmpty ? ["may be empty"] : []),
  ]);

it("finds marked values through optional, nullable, nested, recursive and alternative schemas", () => {
  expect(found(data)).toEqual([
    ["text", "title", [["arg", "NAME"]]],
    ["text", "hint", "", "may be empty"],
    ["picture", "picture", "wave"],
    ["block", "blocks.0", data.blocks[0]],
    ["block", "blocks.1", data.blocks[1]],
    ["text", "cells.0.content", "seven"],
    ["question", "cells.1.content", 7],
    ["icon", "tree.icon", "oak"],
    ["icon", "tree.branches.0.icon", "elm"],
  ]);
});

it("finds values inside blocks whose schema is known", () => {
  const inBlocks = found({ blocks: data.blocks }, (type) => (type === "image" ? v.object({ alt: textSchema }) : undefined));
  expect(inBlocks).toEqual([
    ["block", "blocks.0", data.blocks[0]],
    ["text", "blocks.0.alt", "A wave"],
    ["block", "blocks.1", data.blocks[1]],
  ]);
});

it("accepts data that does not match its schema", () => {
  const nothings = [{ cells: [{ is: "neither" }], tree: 3, blocks: "x" }, { picture: null }, { note: { a: 1 } }];
  for (const none of [null, undefined, 5, "x", [], ...nothings]) expect(found(none)).toEqual([]);
});

it("asks for the schema of a block's type, and of nothing else", () => {
  const asked: unknown[] = [];
  const ask = (type: string) => {
    asked.push(type);
    return undefined;
  };
  found({ ...data, picture: { type: "none" }, blocks: [...data.blocks, { alt: "x" }, { type: 5 }, "x"] }, ask);
  expect(asked).toEqual(["image", "unheard"]);
});
