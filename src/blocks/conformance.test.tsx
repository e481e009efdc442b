/** The conformance tests of all blocks. They find each block by themselves, so a new block needs no line here. */
import { locales, localeTraits } from "#core/locales.ts";
import { plainText } from "#core/text.ts";
import { pictures } from "#content/media/manifest.ts";
import { uiTables, uiTexts } from "#content/texts/ui.ts";
import { specifiedBlocks } from "#test/specifiedBlocks.ts";
import { readdirSync } from "node:fs";
import { renderToString } from "react-dom/server";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { bundledContents, bundledTypes } from "./bundled.ts";
import { examplesOf } from "./examples.ts";
import { exampleContext, exampleFields, exampleSite, exampleState } from "./exampleSite.ts";
import { type BlockContentInput, blockSpecs, blockTypes } from "./specs.ts";
import { parseContent, picturesOf, validateContent, validateContents } from "./allContents.ts";
import { Block } from "./Block.tsx";
import { blockViews } from "./views.tsx";

test("the blocks include the specification's 39", () => {
  expect(specifiedBlocks).toHaveLength(39);
  expect(blockTypes).toEqual(expect.arrayContaining(specifiedBlocks));
});

test("every block has a folder with spec, view and examples, and every folder is a block", () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ name }) => name).toSorted();
  expect(blockTypes.toSorted(), "each folder has an import and a line in blocks/specs.ts").toEqual(names);
  expect(Object.keys(blockViews).toSorted(), "each folder has an import and a line in blocks/views.tsx").toEqual(names);
  for (const { name, parentPath } of folders)
    expect(readdirSync(`${parentPath}/${name}`), name).toEqual(expect.arrayContaining(["spec.ts", "view.tsx", "examples.ts"]));
});

test("the bundled blocks need no schema: no defaults, no traits, no pictures, and they always pass", () => {
  for (const type of bundledTypes) {
    const { schema: _, validate: __, type: ___, uiTexts: ____, ...traits } = blockSpecs[type];
    expect(traits, type).toEqual({});
    for (const { content, status } of examplesOf(type).valid) {
      expect(bundledContents.parseContent(content)).toEqual(parseContent(content));
      expect(status, type).toBe(bundledContents.validateContents());
    }
  }
  expect(() => bundledContents.parseContent({ type: "carousel" })).toThrow("Unsupported content type: carousel");
});

test("an unknown type is an error with its name", () => {
  expect(() => parseContent({ type: "carousel" })).toThrow("Unsupported content type: carousel");
  expect(() => parseContent({ type: "toString" })).toThrow("Unsupported content type: toString");
});

test("one blocking block hides the question's button, else one failing block disables it", () => {
  const waiting: BlockContentInput = { type: "wait", duration: 1 };
  const choosing: BlockContentInput = { type: "moreInfoOf", items: [{ id: "one", text: "Uno" }] };
  const plain: BlockContentInput = { type: "title", text: "Hola" };
  const statusOf = (contents: readonly BlockContentInput[], done = false) =>
    validateContents(
      contents.map(parseContent),
      { state: exampleState, context: exampleContext("es-419"), fields: exampleFields },
      () => done,
    );
  expect(statusOf([plain, choosing, waiting])).toBe("block");
  expect(statusOf([plain, choosing, waiting], true)).toBe("fail");
  expect(statusOf([plain, waiting], true)).toBe("pass");
  expect(statusOf([])).toBe("pass");
});

test("the end of a content is reported by the content's position", () => {
  const waits: readonly BlockContentInput[] = [
    { type: "wait", duration: 1 },
    { type: "wait", duration: 2 },
  ];
  const contents = waits.map(parseContent);
  const around = { state: exampleState, context: exampleContext("es-419"), fields: exampleFields };
  expect(validateContents(contents, around, (index) => index === 0)).toBe("block");
  expect(validateContents(contents, around, () => true)).toBe("pass");
});

describe.each(blockTypes)("%s", (type) => {
  const { valid, invalid } = examplesOf(type);

  test("has examples of valid and invalid contents", () => {
    expect(valid.length).toBeGreaterThan(0);
    expect(invalid.length).toBeGreaterThan(0);
    const names = [...valid, ...invalid].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(valid)("$name: is accepted, and accepted again with its defaults filled in", ({ content }) => {
    const parsed = parseContent(content);
    expect(parsed.type).toBe(type);
    expect(parseContent(parsed)).toEqual(parsed);
    expect(JSON.parse(JSON.stringify(content))).toEqual(content);
  });

  test.each(valid)("$name: $status", ({ content, state, fields, done = false, status }) => {
    const input = {
      state: { ...exampleState, ...state },
      context: exampleContext("es-419"),
      done,
      fields: { ...exampleFields, ...fields },
    };
    expect(validateContent(type, parseContent(content), input)).toBe(status);
  });

  test.each(valid)("$name: shows only pictures that it declares, in the declared size", ({ content, state, status, done = false }) => {
    const site = exampleSite({ locale: "es-419", picture: (name) => pictures[name] ?? null, t: (key) => key });
    const around = { state: { ...exampleState, ...state }, context: exampleContext("es-419"), status, done, site };
    const html = renderToString(<Block views={blockViews} content={parseContent(content)} id="block" {...around} />);
    const { names, large } = picturesOf(type, parseContent(content), site.schedules);
    const files = [...html.matchAll(/<img src="\/media\/([^"]+)"/g)].map(([, file]) => file);
    const named = Object.values(pictures).filter(({ name }) => names.includes(name) || JSON.stringify(content).includes(`"${name}"`));
    const told = named.map(({ name, variants, ext }) => `${name}${large && variants.includes("desktop") ? "-desktop" : ""}.${ext}`);
    expect(told).toEqual(expect.arrayContaining(files));
  });

  test.each(invalid)("$name: is refused", ({ content }) => {
    expect(v.safeParse(blockSpecs[type].schema, content).success).toBe(false);
  });

  test("an unknown field is refused", () => {
    expect(v.safeParse(blockSpecs[type].schema, { ...valid[0]?.content, colour: "red" }).success).toBe(false);
  });

  test("every content may have requirements", () => {
    const content = { ...valid[0]?.content, type, requirements: { rules: [{ countryIs: "MX" }] } };
    expect(parseContent(content)).toMatchObject({ requirements: { rules: [{ countryIs: "MX" }] } });
  });

  test.each(locales)("its interface texts exist in %s", (locale) => {
    // Reads the tables directly: `uiTexts` would fall back to another language.
    const table: Readonly<Record<string, string>> = uiTables[locale] ?? {};
    const missing = (blockSpecs[type].uiTexts ?? []).filter((key) => table[key] === undefined);
    expect(missing, `content/texts/ui/${locale}.ts lacks these keys of the block's uiTexts`).toEqual([]);
  });

  test.each(locales)("renders on the server in %s, and uses only the texts that it declares", (locale) => {
    const texts = uiTexts(locale);
    const asked = new Set<string>();
    const site = exampleSite({
      locale,
      picture: (name) => pictures[name] ?? null,
      t: (key, values = {}) => {
        asked.add(key);
        return plainText(Object.entries(texts).find(([name]) => name === key)?.[1] ?? key, values, localeTraits[locale].intl);
      },
    });
    for (const { content, state, fields, done = false, status } of valid) {
      const around = { state: { ...exampleState, ...state }, context: exampleContext(locale), status, done };
      const signup = { ...site.signup, fields: { ...exampleFields, ...fields } };
      const html = renderToString(
        <Block views={blockViews} content={parseContent(content)} id="block" {...around} site={{ ...site, signup }} />,
      );
      expect(html).toContain(`data-block="${type}"`);
    }
    const undeclared = [...asked].filter((key) => !(blockSpecs[type].uiTexts ?? []).includes(key));
    expect(undeclared, `blocks/${type}/spec.ts lacks these keys in uiTexts`).toEqual([]);
  });
});
