/**
 * Marks in schemas tell what a value is: a text, the name of a picture, the id of a question. `marked` finds the marked values in any
 * data.
 */
import * as v from "valibot";

const markSchema = v.picklist(["text", "picture", "icon", "film", "question", "block"]);
export type Mark = v.InferOutput<typeof markSchema>;

const metadataSchema = v.object({ mark: markSchema, mayBeEmpty: v.boolean() });

export interface Marked {
  readonly mark: Mark;
  readonly value: unknown;
  /** Fields and positions from the top: `["options", 0, "description"]`. */
  readonly path: readonly (string | number)[];
  /** Whether a text may be empty. */
  readonly mayBeEmpty: boolean;
}

/** The metadata of a schema whose values have a mark. */
export const mark = <Value>(is: Mark, { mayBeEmpty = false } = {}) =>
  v.metadata<Value, v.InferOutput<typeof metadataSchema>>({ mark: is, mayBeEmpty });

export const pictureName = v.pipe(v.string(), mark("picture"));
export const iconName = v.pipe(v.string(), mark("icon"));
/** A file below /media/, without locale. */
export const filmName = v.pipe(v.strictObject({ filename: v.string(), extension: v.picklist(["webm", "mp4"]) }), mark("film"));
export const questionId = v.pipe(v.number(), v.integer(), v.minValue(1), mark("question"));

/** The schema of a block's other fields; undefined for an unknown type. */
export type BlockSchema = (type: string) => v.GenericSchema | undefined;

/**
 * All marked values in the data, in the schema's order. The data may be invalid. `blockSchema` gives the schemas of blocks; without it,
 * their fields are skipped.
 */
export function marked(schema: v.GenericSchema, data: unknown, blockSchema?: BlockSchema): readonly Marked[] {
  const found: Marked[] = [];
  const visit = (at: unknown, value: unknown, path: Marked["path"]): void => {
    if (value === undefined || value === null || !isSchema(at)) return;
    const metadata = v.safeParse(metadataSchema, v.getMetadata(at));
    if (metadata.success) {
      found.push({ ...metadata.output, value, path });
      if (metadata.output.mark === "block" && hasType(value)) visit(blockSchema?.(value.type), value, path);
      return;
    }
    if ("wrapped" in at) visit(at.wrapped, value, path);
    else if ("getter" in at && typeof at.getter === "function") visit(at.getter(value), value, path);
    else if ("options" in at && Array.isArray(at.options))
      visit(
        at.options.find((option) => isSchema(option) && v.is(option, value)),
        value,
        path,
      );
    else if ("item" in at && Array.isArray(value)) for (const [index, item] of value.entries()) visit(at.item, item, [...path, index]);
    else if ("entries" in at && isRecord(at.entries) && isRecord(value))
      for (const [field, entry] of Object.entries(at.entries)) visit(entry, value[field], [...path, field]);
  };
  visit(schema, data, []);
  return found;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;
const isSchema = (value: unknown): value is v.GenericSchema => isRecord(value) && value["kind"] === "schema";
const hasType = (value: unknown): value is { readonly type: string } => isRecord(value) && typeof value["type"] === "string";
