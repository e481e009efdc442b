/** The schemas of texts. Apart from `text.ts`, which every visitor's first page loads. */
import * as v from "valibot";
import { mark } from "./marks.ts";
import type { Text, TextNode } from "./text.ts";

const textUnion = v.union([v.string(), v.custom<readonly TextNode[]>((value) => Array.isArray(value))]);
export const textSchema: v.GenericSchema<Text> = v.pipe(textUnion, mark("text"));
/** A text that may be empty: the alternative text of a decorative picture, the corner of a table. */
export const textOrEmpty: v.GenericSchema<Text> = v.pipe(textUnion, mark("text", { mayBeEmpty: true }));
