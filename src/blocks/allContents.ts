/** Functions over contents of every block type. */
import { contentsBy } from "./contents.ts";
import { blockSpecs } from "./specs.ts";

export const { parseContent, validateContent, validateContents, traitsOf, picturesOf } = contentsBy(blockSpecs);
