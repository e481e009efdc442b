/** Exchange files for translators: CSV for spreadsheets, XLIFF 2.0 for translation tools. ICU messages are not converted. */
import { isLocale, type Locale } from "#core/locales.ts";
import { parse } from "csv-parse/sync";
import { XMLBuilder, XMLParser } from "fast-xml-parser";
import * as v from "valibot";
import { argumentsOf } from "#content/texts/shape.ts";
import { compileText } from "#content/texts/compile.ts";
import { type TextSet, textSets } from "./textsFiles.ts";

export interface Row {
  readonly set: TextSet;
  readonly key: string;
  /** The message in American English. */
  readonly source: string;
  /** The locale's message; empty when it is not translated. */
  readonly target: string;
  /** The comment above the text's group in its file. */
  readonly heading: string;
}

/** The content of an exchange file. Its rows need no `heading`. */
export interface Exchange {
  readonly locale: Locale;
  readonly rows: readonly Omit<Row, "heading">[];
}

interface Format {
  readonly extension: string;
  readonly write: (locale: Locale, rows: readonly Row[]) => string;
  /** Throws when the file does not have the format of `write`. */
  readonly read: (text: string) => Exchange;
}

/** A note for the translator. */
function noteOf({ heading, source }: Row): string {
  const names = [...argumentsOf(compileText(source))].map((name) => `{${name}}`);
  return [heading, ...(names.length === 0 ? [] : [`Filled in by the program: ${names.join(", ")}`])]
    .filter((part) => part !== "")
    .join(". ");
}

const setSchema = v.picklist(textSets, "is not a set of texts");
const localeSchema = v.custom<Locale>(isLocale, "is not a supported locale");

const csv: Format = {
  extension: "csv",
  write(locale, rows) {
    const records = [
      ["set", "key", "en-US", locale, "note"],
      ...rows.map((row) => [row.set, row.key, row.source, row.target, noteOf(row)]),
    ];
    // The byte order mark tells spreadsheets that the file is UTF-8.
    return `\ufeff${records.map((fields) => fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(",")).join("\r\n")}\r\n`;
  },
  read(text) {
    const [head, ...records] = v.parse(
      v.array(v.tupleWithRest([v.string(), v.string(), v.string(), v.string()], v.string())),
      // Spreadsheets choose the separator by their language setting.
      parse(text, { bom: true, delimiter: [",", ";", "\t"], relax_column_count: true, skip_empty_lines: true }),
    );
    return {
      locale: v.parse(localeSchema, head?.[3]),
      rows: records.map(([set, key, source, target]) => ({ set: v.parse(setSchema, set), key, source, target })),
    };
  },
};

/** XLIFF ids must be XML names, which cannot contain a slash. */
const idOf = (key: string) => key.replaceAll("/", ":");
const keyOf = (id: string) => id.replaceAll(":", "/");

/** Tools may split a text into several segments. */
const segmentSchema = v.object({
  source: v.optional(v.string("has markup inside"), ""),
  target: v.optional(v.string("has markup inside"), ""),
});
const unitSchema = v.object({
  "@id": v.string(),
  segment: v.array(segmentSchema),
});
const xliffSchema = v.object({
  xliff: v.object({
    "@trgLang": localeSchema,
    file: v.array(v.object({ "@id": setSchema, unit: v.optional(v.array(unitSchema), []) })),
  }),
});

const xmlOptions = { attributeNamePrefix: "@", ignoreAttributes: false } as const;

const xliff: Format = {
  extension: "xlf",
  write(locale, rows) {
    const file = textSets.map((set) => ({
      "@id": set,
      unit: rows
        .filter((row) => row.set === set)
        .map((row) => ({
          "@id": idOf(row.key),
          "@xml:space": "preserve",
          ...(noteOf(row) === "" ? {} : { notes: { note: noteOf(row) } }),
          segment:
            row.target === ""
              ? { "@state": "initial", source: row.source }
              : { "@state": "translated", source: row.source, target: row.target },
        })),
    }));
    const builder = new XMLBuilder({ ...xmlOptions, format: true, suppressEmptyNode: true });
    return builder.build({
      "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
      xliff: {
        "@xmlns": "urn:oasis:names:tc:xliff:document:2.0",
        "@version": "2.0",
        "@srcLang": "en-US",
        "@trgLang": locale,
        file: file.filter(({ unit }) => unit.length > 0),
      },
    });
  },
  read(text) {
    const parser = new XMLParser({
      ...xmlOptions,
      trimValues: false,
      // Also decodes numeric references.
      htmlEntities: true,
      parseTagValue: false,
      parseAttributeValue: false,
      isArray: (name) => ["file", "unit", "segment"].includes(name),
    });
    const { xliff: document } = v.parse(xliffSchema, parser.parse(text));
    return {
      locale: document["@trgLang"],
      rows: document.file.flatMap(({ "@id": set, unit }) =>
        unit.map(({ "@id": id, segment }) => ({
          set,
          key: keyOf(id),
          source: segment.map(({ source }) => source).join(""),
          target: segment.map(({ target }) => target).join(""),
        })),
      ),
    };
  },
};

export const exchangeFormats = { csv, xliff } as const;
export type FormatName = keyof typeof exchangeFormats;

/** The format for a file's extension. Throws for unknown ones. */
export function formatOf(file: string): Format {
  const found =
    Object.values(exchangeFormats).find(({ extension }) => file.endsWith(`.${extension}`)) ?? (file.endsWith(".xliff") ? xliff : undefined);
  if (found === undefined) throw new Error(`${file} is neither .csv nor .xlf`);
  return found;
}
