import { classesIn, criticalPart, fetchedFamilies, readStyleSheet, usedPart, withoutFamilies } from "./criticalStyle.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const critical = (css: string, html: string) => criticalPart(readStyleSheet(css), classesIn(html), null);

test.each([
  ["what belongs to every page", ':root{--a:"}"}a:hover{color:red}', ':root{--a:"}"}a:hover{color:red}'],
  ["classes of the page, and what they become", ".here,.no{a:b}.here.pressed{c:d}.no{e:f}", ".here,.no{a:b}.here.pressed{c:d}"],
  [
    "inside conditions, and no empty ones",
    "@media (width>=1px){.here{a:b}.no{c:d}}@supports (a:b){.no{c:d}}",
    "@media (width>=1px){.here{a:b}}",
  ],
  [
    "the device's own faces, and frames whole",
    "@font-face{src:local(a;b)}@keyframes in{0%{a:b}to{c:d}}",
    "@font-face{src:local(a;b)}@keyframes in{0%{a:b}to{c:d}}",
  ],
  ["whatever is excluded or alternative", "p:not(.no){a:b}p:is(.no,.other){a:b}", "p:not(.no){a:b}p:is(.no,.other){a:b}"],
])("the critical part keeps %s", (_, css, part) => {
  expect(critical(css, '<p class="here too">')).toBe(part);
});

test("font faces with a URL come with the full sheet", () => {
  const sheet = `@font-face{font-family:Text;src:url(/a.woff2)format("woff2")}@font-face{font-family:Own;src:local(Arial)}p{a:b}`;
  expect(critical(sheet, "")).toBe("@font-face{font-family:Own;src:local(Arial)}p{a:b}");
});

test("a family whose faces come with the full sheet is not asked for before", () => {
  const sheet = readStyleSheet(
    `@font-face{font-family:Our Text;src:url(/a.woff2)}@font-face{font-family:Our Text Fallback;src:local(Arial)}:root{--text:"Our Text", "Our Text Fallback", serif}p{font-family:Our Text,serif}`,
  );
  expect(fetchedFamilies(sheet)).toEqual(["Our Text"]);
  expect(withoutFamilies(criticalPart(sheet, new Set(), null), fetchedFamilies(sheet))).toBe(
    `@font-face{font-family:Our Text Fallback;src:local(Arial)}:root{--text:"Our Text Fallback", serif}p{font-family:serif}`,
  );
});

test("only the page's theme is kept", () => {
  const themed = `:root,[data-theme=parlando]{a:b}[data-theme=Kosmo]{c:d}[data-theme=HablaIngles],[data-theme=Kosmo] p{e:f}p{g:h}`;
  const part = (theme: string | null) => criticalPart(readStyleSheet(themed), new Set(), theme);
  expect(part("parlando")).toBe(":root,[data-theme=parlando]{a:b}p{g:h}");
  expect(part("HablaIngles")).toBe("[data-theme=HablaIngles],[data-theme=Kosmo] p{e:f}p{g:h}");
  expect(part(null)).toBe(themed);
});

test("every theme sets the same tokens, so that one is enough", () => {
  const tokens = readFileSync(join(import.meta.dirname, "../ui/tokens.css"), "utf8");
  const set = [...tokens.matchAll(/\[data-theme="\w+"\] \{([^}]*)\}/g)].map(([, rules = ""]) =>
    [...rules.matchAll(/^ {2}([\w-]+):/gm)].map(([, name]) => name).toSorted(),
  );
  expect(set).toHaveLength(3);
  expect(set[1]).toEqual(set[0]);
  expect(set[2]).toEqual(set[0]);
});

test("unused custom properties and keyframes are left out, also those that only unused ones used", () => {
  const sheet = `:root{--used:1px;--own:"a;b}";--chain:var(--only);--only:2px}p{margin:var(--used);animation:in 1s}@keyframes in{0%{a:b}}@keyframes out{0%{a:b}to{c:d}}`;
  expect(usedPart([sheet, "a{b:var(--own)}"], `<p style="width:var(--inline)">`)).toEqual([
    `:root{--used:1px;--own:"a;b}";}p{margin:var(--used);animation:in 1s}@keyframes in{0%{a:b}}`,
    "a{b:var(--own)}",
  ]);
});
