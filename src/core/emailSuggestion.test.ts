import { describe, expect, it } from "vitest";
import { suggestEmail } from "./emailSuggestion.ts";

describe("a likely slip in an address", () => {
  it.each([
    ["ana@gmial.com", "ana@gmail.com"],
    ["ana@gmail.con", "ana@gmail.com"],
    ["ana@gmail.co", "ana@gmail.com"],
    ["ana@hotnail.com", "ana@hotmail.com"],
    ["ana@yaho.com", "ana@yahoo.com"],
    ["ana@libeto.it", "ana@libero.it"],
    ["Ana@OUTLOK.com", "Ana@outlook.com"],
  ])("%s is probably %s", (typed, meant) => {
    expect(suggestEmail(typed)).toBe(meant);
  });
  it.each(["ana@gmail.com", "ana@GMAIL.com", "ana@mail.com", "ana@ymail.com", "ana@example.com", "ana@web.de", "ana", "@gmial.com", ""])(
    "%s is left alone",
    (typed) => {
      expect(suggestEmail(typed)).toBeNull();
    },
  );
});
