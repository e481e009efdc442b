import { expect, it } from "vitest";
import { csvOf } from "./csv.ts";

it("keeps numbers, and quotes cells with a comma, a quote or a line break", () => {
  expect(
    csvOf([
      ["n", "words"],
      [-12.5, 'one, "two"\nthree'],
      [null, true],
    ]),
  ).toBe('n,words\r\n-12.5,"one, ""two""\nthree"\r\n,true\r\n');
});

it.each([
  ["=1+1", "'=1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  [" =1", " '=1"],
  ["＝1", "'＝1"],
  ["x;＋1", "x;'＋1"],
  ["－1", "'－1"],
  [" ＠SUM(A1)", " '＠SUM(A1)"],
  ["\t=1+1", "'\t'=1+1"],
  // Spreadsheets in locales with a decimal comma split at semicolons, even inside quotes.
  ["Oh;=1+1;no", "Oh;'=1+1;no"],
  ["Oh; +1", "Oh; '+1"],
  ["Oh\n-1", '"Oh\n\'-1"'],
  ['Oh;"=1+1;"', '"Oh;""\'=1+1;"""'],
])("a visitor's text cannot run as a formula: %s", (written, cell) => {
  expect(csvOf([[written]])).toBe(`${cell}\r\n`);
});
