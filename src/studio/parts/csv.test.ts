import { expect, it } from "vitest";
import { csvOf } from "./csv.ts";

it("leaves numbers numbers, and quotes what holds a comma, a quote or a line", () => {
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
  // Where the comma is the decimal sign, a cell ends at a semicolon, in quotes as well.
  ["Oh;=1+1;no", "Oh;'=1+1;no"],
  ["Oh; +1", "Oh; '+1"],
  ["Oh\n-1", '"Oh\n\'-1"'],
  ['Oh;"=1+1;"', '"Oh;""\'=1+1;"""'],
])("what a stranger wrote runs in no spreadsheet: %s", (written, cell) => {
  expect(csvOf([[written]])).toBe(`${cell}\r\n`);
});
