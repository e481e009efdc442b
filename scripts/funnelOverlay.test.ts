import { describe, expect, it } from "vitest";
import { editedVersion } from "./funnelOverlay.ts";

describe("the development overlay", () => {
  it("proves the version whose file was edited, and else the one in the browser", () => {
    expect(editedVersion("/project/src/content/questionnaires/v83.ts", "76")).toBe("83");
    expect(editedVersion("/project/src/content/questionnaires/base/level.ts", "76")).toBe("76");
    expect(editedVersion("/project/src/content/texts/questionnaire/de-DE.ts", null)).toBeNull();
  });
});
