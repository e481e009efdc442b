import { expect, it } from "vitest";
import { placeholdersIn } from "./placeholdersIn.ts";

it("reads placeholders out of any data", () => {
  expect(
    [
      ...placeholdersIn({
        a: [
          ["arg", "A"],
          ["plural", "B", 0, { one: [["tag", "b", [["select", "C", { other: [["arg", "D"]] }]]]] }, false],
        ],
        b: "arg",
        c: ["arg", 5],
        d: ["select"],
      }),
    ].toSorted(),
  ).toEqual(["A", "B", "C", "D"]);
});
