import { describe, expect, it } from "vitest";
import { suggestEmail } from "./emailSuggestion.ts";

describe("a likely typo in an address", () => {
  it.each([
    ["ana@gmial.com", "ana@gmail.com"],
    ["ana@gmail.con", "ana@gmail.com"],
    ["ana@gmail.co", "ana@gmail.com"],
    ["ana@hotnail.com", "ana@hotmail.com"],
    ["ana@yaho.com", "ana@yahoo.com"],
    ["ana@libeto.it", "ana@libero.it"],
    ["Ana@OUTLOK.com", "Ana@outlook.com"],
    ["ana@gmaill.com", "ana@gmail.com"],
    ["ana@agmail.com", "ana@gmail.com"],
    ["ana@gmailc.om", "ana@gmail.com"],
    ["ana@moc.liamg", null],
    ["ana@gmal.co", null],
    ["ana@hotmial.es", "ana@hotmail.es"],
    ["ana@hotmail.e", "ana@hotmail.es"],
    ["ana@eb.de", "ana@web.de"],
    ["ana@ewb.de", "ana@web.de"],
    ["ana@xwb.de", null],
    ["ana@wb.de", "ana@web.de"],
    ["ana@b.de", null],
    ["ana@web.deu", "ana@web.de"],
    ["ana@web.ed", "ana@web.de"],
    [" ana@gmial.com ", " ana@gmail.com"],
    ["a@gmial.com", "a@gmail.com"],
    ["ana@eva@gmial.com", "ana@eva@gmail.com"],
    ["ana@mail.com", null],
    ["ana@gmx.at", null],
  ])("%s was probably meant to be %s", (typed, meant) => {
    expect(suggestEmail(typed)).toBe(meant);
  });
  it.each(["ana@gmail.com", "ana@GMAIL.com", "ana@mail.com", "ana@ymail.com", "ana@example.com", "ana@web.de", "ana", "@gmial.com", ""])(
    "%s gets no suggestion",
    (typed) => {
      expect(suggestEmail(typed)).toBeNull();
    },
  );
});
