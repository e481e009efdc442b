/** Translates a page's stack from built files to our sources, for the log. */
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

// Visitors send stacks, so their size is limited: further lines are dropped, and longer lines are not parsed.
const mostLines = 30;
const longestLine = 500;
const place = /\/assets\/([A-Za-z0-9_.-]+\.js):(\d{1,7}):(\d{1,7})\)?$/;

/** Splits a line of a stack into the text before the built file's address and the place in that file. */
function frameOf(line: string): { readonly before: string; readonly file: string; readonly row: number; readonly column: number } | null {
  if (line.length > longestLine) return null;
  const [found = "", file = "", row, column] = place.exec(line) ?? [];
  const address = line.slice(0, line.length - found.length).lastIndexOf("http");
  if (found === "" || address < 0) return null;
  return { before: line.slice(0, address).replace(/\($/, ""), file, row: Number(row), column: Number(column) };
}

/** @param folder the folder of the build's source maps */
export function createStacks(folder: string | null): (stack: string) => string {
  const maps = new Map<string, SourceMap | null>();
  function mapOf(file: string): SourceMap | null {
    const known = maps.get(file);
    if (known !== undefined || folder === null) return known ?? null;
    let map: SourceMap | null = null;
    try {
      map = new SourceMap(v.parse(mapSchema, JSON.parse(readFileSync(join(folder, `${basename(file)}.map`), "utf8"))));
    } catch {
      // A file of an earlier build, or not ours: the line stays as it is. Its name is not cached, because there is no limit to such names.
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
        // The type claims that every entry with a source has its name; one for the bundler's own code has none.
        if (entry === undefined || !("originalSource" in entry) || typeof entry.originalSource !== "string") return line;
        return `${frame.before}(${entry.originalSource.replace(/^(\.\.\/)+/, "")}:${entry.originalLine + 1}:${entry.originalColumn + 1})`;
      })
      .join("\n");
}
