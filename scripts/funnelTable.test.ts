import { readFileSync } from "node:fs";
import { blockTypes } from "#blocks/specs.ts";
import { versions } from "#content/questionnaires/index.ts";
import { describe, expect, it } from "vitest";
import { blocksOf, versionsTable } from "./funnelTable.ts";

describe("the table of versions", () => {
  it("stands in the questionnaires' README as it is printed", { timeout: 60_000 }, () => {
    expect(readFileSync(new URL("../src/content/questionnaires/README.md", import.meta.url), "utf8")).toBe(versionsTable());
  });

  it("uses every one of the 39 block types", () => {
    const used = new Set(versions.flatMap((version) => [...blocksOf(version)]));
    expect(blockTypes).toHaveLength(39);
    expect(blockTypes.filter((type) => !used.has(type))).toEqual([]);
  });
});
