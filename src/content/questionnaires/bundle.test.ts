import { locales } from "#core/locales.ts";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Bundle } from "./bundle.ts";
import { hashOf } from "./bundleHash.ts";
import { bundleFor, questionnaireFor, questionnaireOfBundle, versions } from "./index.ts";

const read = (text: string): Bundle => JSON.parse(text);

describe.each(versions)("version %s as data", (version) => {
  const bundle = bundleFor(version);
  const back = read(JSON.stringify(bundle));

  it("is the same after a round trip through JSON, in content and name", () => {
    expect(back).toEqual(bundle);
    expect(hashOf(back)).toBe(hashOf(bundle));
  });

  it.each(locales)("filled with its own texts is the running questionnaire in %s", (locale) => {
    expect(questionnaireOfBundle(back, locale)).toStrictEqual(questionnaireFor(version, locale));
  });
});

it("shows a missing text's key, and logs a warning (spec 000 §8)", () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  const { questionnaire, texts } = bundleFor("76");
  const [lost = "", ...others] = Object.keys(texts);
  const rest = Object.fromEntries(others.flatMap((key) => (texts[key] === undefined ? [] : [[key, texts[key]]])));
  expect(JSON.stringify(questionnaireOfBundle({ questionnaire, texts: rest }, "de-DE"))).toContain(`"${lost}"`);
  expect(warn).toHaveBeenCalledWith(`Missing text "${lost}" in de-DE`);
});

it("has a different name for each version and after each change, however small", () => {
  const hashes = versions.map((version) => hashOf(bundleFor(version)));
  expect(new Set(hashes).size).toBe(versions.length);
  const changed = structuredClone(bundleFor("76"));
  const [key = ""] = Object.keys(changed.texts);
  const other: Bundle = {
    ...changed,
    texts: { ...changed.texts, [key]: { ...changed.texts[key], "de-DE": "." } as Bundle["texts"][string] },
  };
  expect(hashOf(other)).not.toBe(hashOf(changed));
});

it.each(versions)("each version has the specification's special questions and level rules", (version) => {
  expect(questionnaireFor(version, "es-419")).toMatchObject({
    initialQuestion: 2,
    embeddedQuestion: 2,
    extraTrackingQuestion: 3,
    lastLevelQuestionFollowUpQuestion: 54,
    levelQuestionRules: [
      { no: 2, maybe: 0, followUpQuestion: 53 },
      { no: 1, maybe: 2, followUpQuestion: 53 },
    ],
  });
});
