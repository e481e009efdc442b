import { mailTables } from "#content/texts/mail.ts";
import { questionnaireTexts } from "#content/texts/questionnaire.ts";
import { uiTables } from "#content/texts/ui.ts";
import { locales } from "#core/locales.ts";
import { describe, expect, it } from "vitest";
import { exchangeFormats, formatOf, type Row } from "./textsExchange.ts";
import { entriesOf, messagesOf, textSets, textSource, withMessages } from "./textsFiles.ts";
import { exportedRows, importedSources, missingKeys } from "./textsTables.ts";
import { keysNeededBy, unusedKeys } from "./textsUnused.ts";

const tables = { questionnaire: questionnaireTexts, ui: uiTables, mail: mailTables };
const formats = Object.values(exchangeFormats);
/** The fields of a row that an import reads. */
const withoutHeading = ({ set, key, source, target }: Row) => ({ set, key, source, target });

describe.each(locales)("the texts of %s", (locale) => {
  it("are parsed from their source as the program imports them", () => {
    for (const set of textSets) expect(Object.fromEntries(messagesOf(textSource(set, locale)))).toEqual(tables[set][locale]);
  });

  it("are complete", () => {
    expect(missingKeys(locale)).toEqual([]);
  });

  it.each(formats)("are unchanged after an export to $extension and an import", async ({ write, read }) => {
    const rows = exportedRows(locale);
    const back = read(write(locale, rows));
    expect(back).toEqual({ locale, rows: rows.map(withoutHeading) });
    expect(await importedSources(locale, back.rows)).toMatchObject({ sources: new Map(), changed: 0, empty: 0, outdated: [] });
  });

  it("are written in the same form as in their files, even when all are new", async () => {
    for (const set of textSets) {
      const source = textSource(set, locale);
      const english = textSource(set, "en-US");
      const blank = await withMessages(source, english, new Map([...messagesOf(source).keys()].map((key) => [key, "?"])));
      expect(
        messagesOf(blank)
          .values()
          .every((message) => message === "?"),
      ).toBe(true);
      expect(await withMessages(blank, english, messagesOf(source))).toBe(source);
    }
  });
});

const row: Row = {
  set: "ui",
  key: "meta.legal/terms.title",
  source: 'Say "hi", <b>{NAME}</b> & &lt;co; &amp;#160;\u00a0…',
  target: "Di «hola»;\n<b>{NAME}</b> & \"cía\", ¿no? ]]> 'x' \u202f!",
  heading: "Legal documents",
};
it.each(formats)("keeps quotes, markup, line breaks and no-break spaces in $extension", ({ write, read }) => {
  expect(read(write("es-419", [row])).rows).toEqual([withoutHeading(row)]);
});

it("tells translators a text's context and its placeholders", () => {
  for (const { write } of formats) expect(write("es-419", [row])).toContain("Legal documents. Filled in by the program: {NAME}");
});

it("reads CSV as spreadsheets save it: other separators, unquoted fields, more columns, empty lines", () => {
  expect(formatOf("a.csv").read('set;key;en-US;de-DE;note;\r\nui;shell.menu;Menu;"Menü; ""neu""";;\r\n\r\n')).toEqual({
    locale: "de-DE",
    rows: [{ set: "ui", key: "shell.menu", source: "Menu", target: 'Menü; "neu"' }],
  });
});

it("reads XLIFF as translation tools save it: several segments, other attributes, CDATA, references", () => {
  const document = `<?xml version="1.0"?><xliff trgLang="de-DE" version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0"><file original="x" id="ui">
    <unit canResegment="yes" id="shell.menu"><segment id="1"><source>One. </source><target>Eins. </target></segment>
    <segment><source>Two</source><target><![CDATA[<b>Zwei</b>]]> &amp; drei&#160;&#x2026;</target></segment></unit></file></xliff>`;
  expect(formatOf("a.xliff").read(document).rows).toEqual([
    { set: "ui", key: "shell.menu", source: "One. Two", target: "Eins. <b>Zwei</b> & drei\u00a0…" },
  ]);
});

it("refuses unknown formats, locales and sets", () => {
  expect(() => formatOf("a.docx")).toThrow("neither .csv nor .xlf");
  expect(() => formatOf("a.csv").read("set,key,en-US,xx-YY\nui,a,b,c\n")).toThrow("not a supported locale");
  expect(() => formatOf("a.csv").read("set,key,en-US,de-DE\nwe,a,b,c\n")).toThrow("not a set of texts");
  expect(() =>
    formatOf("a.xlf").read(
      "<xliff trgLang='de-DE'><file id='ui'><unit id='a'><segment><target><pc>x</pc></target></segment></unit></file></xliff>",
    ),
  ).toThrow("markup inside");
});

describe("an import", () => {
  const texts = (targets: Readonly<Record<string, string>>) =>
    exportedRows("de-DE")
      .filter(({ key }) => key in targets)
      .map((text) => ({ ...text, target: targets[text.key] ?? "" }));

  it("changes only changed texts, and ignores empty ones", async () => {
    const before = textSource("ui", "de-DE");
    const { sources, changed, empty } = await importedSources("de-DE", texts({ "shell.menu": 'Auswahl "A"', "shell.back": "" }));
    expect({ changed, empty, sets: [...sources.keys()] }).toEqual({ changed: 1, empty: 1, sets: ["ui"] });
    expect(sources.get("ui")).toBe(before.replace('"shell.menu": "Menü"', `"shell.menu": 'Auswahl "A"'`));
  });

  it("lists every fault, and imports nothing", async () => {
    const rows = [
      ...texts({ "shell.home": "Startseite", "shell.menu": "<b>Menü</b>", "shell.back": "{ZURÜCK" }),
      { set: "mail" as const, key: "mail.nothing", source: "", target: "Nichts" },
    ];
    await expect(
      importedSources("de-DE", [...rows, ...texts({ "shell.skip": "Weiter" }), ...texts({ "shell.skip": "Weiter" })]),
    ).rejects.toThrow(
      /^Nothing was imported into de-DE:\n {2}ui shell\.home: lacks the argument \{BRAND\}\n {2}ui shell\.menu: has the tag <b>, .*\n {2}ui shell\.back: cannot be read: .*\n {2}ui shell\.skip: appears twice in the file\n {2}mail mail\.nothing: unknown key$/,
    );
  });

  it("lists texts whose English has changed since the export", async () => {
    const [text] = texts({ "shell.menu": "Menü" });
    expect(await importedSources("de-DE", text === undefined ? [] : [{ ...text, source: "The menu" }])).toMatchObject({
      outdated: ["ui shell.menu"],
    });
  });
});

describe("a table with missing keys", () => {
  const english =
    'export const texts = {\n  // One\n  "a.one": "One",\n  two: "Two",\n\n  // Three\n  "a.three": "Three",\n} satisfies Record<string, string>;\n';
  const all = new Map([
    ["a.one", "Eins"],
    ["two", "Zwei"],
    ["a.three", "Drei"],
  ]);
  const german = english.replace('"One"', '"Eins"').replace('"Two"', '"Zwei"').replace('"Three"', '"Drei"');

  it("gets them in the English order, with the English comments", async () => {
    expect(await withMessages("export const texts = {} satisfies Record<string, string>;\n", english, all)).toBe(german);
    for (const { key } of entriesOf(english)) {
      const without = german.replace(new RegExp(`\\n  "?${RegExp.escape(key)}"?: .*`), "");
      expect(await withMessages(without, english, all), key).toBe(german);
    }
  });
});

describe("a key", () => {
  const needed = keysNeededBy([
    'it\'s on ? "" : t("shell.offline")',
    't("shell.back"); t(`page.${name}.title`)',
    "say(wide ? 'home.wide' : `home.step${count + 1}`)",
    "const x = `${a}.${b}`",
  ]);
  it.each(["shell.back", "shell.offline", "page.login.title", "home.wide", "home.step2", "error.1001"])(
    "is used when a source contains it or a template for it: %s",
    (key) => {
      expect(needed(key)).toBe(true);
    },
  );
  it.each(["shell.forward", "page.login.title.more", "page.login.text", "home.narrow", "error.999"])("is unused otherwise: %s", (key) => {
    expect(needed(key)).toBe(false);
  });
});

it("finds every text in use", () => {
  expect(unusedKeys()).toEqual({ questionnaire: [], ui: [], mail: [] });
});
