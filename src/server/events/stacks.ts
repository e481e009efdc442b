/** A page's stack with the places of our sources instead of the built files', for whoever reads the log. */
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, join } from "node:path";
import * as v from "valibot";

const mapSchema = v.object({
  version: v.number(),
  file: v.optional(v.string(), ""),
  sources: v.array(v.string()),
  sourcesContent: v.optional(v.array(v.string()), []),
  names: v.array(v.string()),
  mappings: v.string(),
  sourceRoot: v.optional(v.string(), ""),
});

/** A stack is a visitor's to send: more lines than this are not looked at. */
const mostLines = 30;
const frame = /^(.*?)\(?https?:\/\/[^\s()]*\/assets\/([A-Za-z0-9_.-]+\.js):(\d{1,7}):(\d{1,7})\)?$/;

/** @param folder where the build put the maps */
export function createStacks(folder: string | null): (stack: string) => string {
  const maps = new Map<string, SourceMap | null>();
  function mapOf(file: string): SourceMap | null {
    const known = maps.get(file);
    if (known !== undefined || folder === null) return known ?? null;
    let map: SourceMap | null = null;
    try {
      map = new SourceMap(v.parse(mapSchema, JSON.parse(readFileSync(join(folder, `${basename(file)}.map`), "utf8"))));
    } catch {
      // Of a build that is gone, or no file of ours: the line stays as it came. Such names are not remembered, there is no end to them.
      return null;
    }
    maps.set(file, map);
    return map;
  }
  return (stack) =>
    stack
      .split("\n")
      .slice(0, mostLines)
      .map((line) => {
        const [, before, file, row, column] = frame.exec(line) ?? [];
        if (file === undefined) return line;
        const entry = mapOf(file)?.findEntry(Number(row) - 1, Number(column) - 1);
        if (entry === undefined || !("originalSource" in entry)) return line;
        return `${before}(${entry.originalSource.replace(/^(\.\.\/)+/, "")}:${entry.originalLine + 1}:${entry.originalColumn + 1})`;
      })
      .join("\n");
}
