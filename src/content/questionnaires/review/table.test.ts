import { readFileSync } from "node:fs";
import { versions } from "../index.ts";
import { specifiedBlocks } from "#test/specifiedBlocks.ts";
import { describe, expect, it } from "vitest";
import { blocksOf, versionsTable } from "./table.ts";

describe("the table of versions", () => {
  it("is the same in the questionnaires' README and as printed", () => {
    const kept = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    expect(kept, "print it again: npm run --silent funnel -- table > src/content/questionnaires/README.md").toBe(versionsTable());
  });

  it("uses every block type of the specification", () => {
    const used = new Set<string>(versions.flatMap((version) => [...blocksOf(version)]));
    expect(specifiedBlocks.filter((type) => !used.has(type))).toEqual([]);
  });
});
