import { classesIn, criticalPart, readStyleSheet } from "./criticalStyle.ts";
import { expect, test } from "vitest";

const critical = (css: string, html: string) => criticalPart(readStyleSheet(css), classesIn(html));

test.each([
  ["what belongs to every page", ':root{--a:"}"}a:hover{color:red}', ':root{--a:"}"}a:hover{color:red}'],
  ["classes of the page, and what they become", ".here,.no{a:b}.here.pressed{c:d}.no{e:f}", ".here,.no{a:b}.here.pressed{c:d}"],
  [
    "inside conditions, and no empty ones",
    "@media (width>=1px){.here{a:b}.no{c:d}}@supports (a:b){.no{c:d}}",
    "@media (width>=1px){.here{a:b}}",
  ],
  [
    "faces and frames whole",
    "@font-face{src:url(a;b)}@keyframes in{0%{a:b}to{c:d}}",
    "@font-face{src:url(a;b)}@keyframes in{0%{a:b}to{c:d}}",
  ],
  ["whatever is excluded or alternative", "p:not(.no){a:b}p:is(.no,.other){a:b}", "p:not(.no){a:b}p:is(.no,.other){a:b}"],
])("the critical part keeps %s", (_, css, part) => {
  expect(critical(css, '<p class="here too">')).toBe(part);
});
