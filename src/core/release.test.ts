import { expect, it } from "vitest";
import { releaseModulePath } from "./page.ts";
import { releaseName, releaseNamePattern } from "./release.ts";

it("a release is named by the first twelve digits of its hash, also in the addresses of its modules", () => {
  const name = releaseName("0123456789abcdef".repeat(4));
  expect(name).toBe("0123456789ab");
  expect(name).toMatch(releaseNamePattern);
  expect(releaseModulePath(name, "contents", "de-DE")).toBe("/releases/0123456789ab/contents-de-DE.js");
});
