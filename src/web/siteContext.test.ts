import type { UiKey } from "#content/texts/ui.ts";
import { testSite } from "#test/webSite.ts";
import { expect, test, vi } from "vitest";

const key: UiKey = "page.not-found.title";

function siteWith(loadMoreTexts: () => Promise<Record<string, string>>) {
  return testSite({ locale: "de-DE", texts: { "shell.back": "Zurück" }, loadMoreTexts });
}

test("a missing text shows its key and logs a warning (spec 000 §8)", () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const site = siteWith(() => Promise.resolve({}));
  expect(site.t("shell.back")).toBe("Zurück");
  expect(warn).not.toHaveBeenCalled();
  expect([site.t(key), site.say(key), site.rich(key)]).toEqual([key, key, key]);
  expect(warn).toHaveBeenCalledWith(`Missing text "${key}" in de-DE`);
});

test("further texts are loaded once, and again after a failure", async () => {
  const load = vi.fn(() => Promise.resolve({ [key]: "Nicht da" })).mockRejectedValueOnce(new Error("offline"));
  const site = siteWith(load);
  await expect(site.moreTexts()).rejects.toThrow("offline");
  await site.moreTexts();
  await site.moreTexts();
  expect([site.t(key), load.mock.calls.length]).toEqual(["Nicht da", 2]);
});
