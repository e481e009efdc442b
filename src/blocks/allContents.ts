/** What is done with the contents of any block. */
import { contentsBy } from "./contents.ts";
import { blockSpecs } from "./specs.ts";

export const { parseContent, validateContent, validateContents, traitsOf, picturesOf } = contentsBy(blockSpecs);
