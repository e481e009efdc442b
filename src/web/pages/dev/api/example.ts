/** An example input from an endpoint's schema. */
import * as v from "valibot";

const shape = v.object({
  type: v.optional(v.string()),
  const: v.optional(v.unknown()),
  enum: v.optional(v.array(v.unknown())),
  format: v.optional(v.string()),
  minimum: v.optional(v.number()),
  items: v.optional(v.unknown()),
  properties: v.optional(v.record(v.string(), v.unknown())),
  required: v.optional(v.array(v.string())),
  anyOf: v.optional(v.array(v.unknown())),
});

const words: Readonly<Record<string, string>> = {
  uuid: "00000000-0000-4000-8000-000000000000",
  email: "lucia@example.com",
  "date-time": "2026-11-20T12:00:00.000Z",
};

/** Fills a JSON Schema's required fields with plausible values; unknown types become an empty string. */
export function exampleOf(schema: unknown): unknown {
  const known = v.safeParse(shape, schema);
  if (!known.success) return "";
  const { type, const: only, enum: choices, format, minimum, items, properties, required, anyOf } = known.output;
  if (only !== undefined) return only;
  if (choices !== undefined) return choices[0];
  if (anyOf !== undefined) return exampleOf(anyOf[0]);
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {}).flatMap(([name, inner]) => (required?.includes(name) ? [[name, exampleOf(inner)]] : [])),
      );
    case "array":
      return items === undefined ? [] : [exampleOf(items)];
    case "integer":
    case "number":
      return minimum ?? 0;
    case "boolean":
      return false;
    default:
      return words[format ?? ""] ?? "";
  }
}
