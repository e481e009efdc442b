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

// A stack is a visitor's to send. More lines than this are not kept, and longer ones not looked at.
const mostLines = 30;
const longestLine = 500;
const place = /\/assets\/([A-Za-z0-9_.-]+\.js):(\d{1,7}):(\d{1,7})\)?$/;

/** A line of a stack taken apart: what stands before the address of the built file, and the place in that file. */
function frameOf(line: string): { readonly before: string; readonly file: string; readonly row: number; readonly column: number } | null {
  if (line.length > longestLine) return null;
  const [found = "", file = "", row, column] = place.exec(line) ?? [];
  const address = line.slice(0, line.length - found.length).lastIndexOf("http");
  if (found === "" || address < 0) return null;
  return { before: line.slice(0, address).replace(/\($/, ""), file, row: Number(row), column: Number(column) };
}

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
        const frame = frameOf(line);
        if (frame === null) return line;
        const entry = mapOf(frame.file)?.findEntry(frame.row - 1, frame.column - 1);
        if (entry === undefined || !("originalSource" in entry)) return line;
        return `${frame.before}(${entry.originalSource.replace(/^(\.\.\/)+/, "")}:${entry.originalLine + 1}:${entry.originalColumn + 1})`;
      })
      .join("\n");
}
