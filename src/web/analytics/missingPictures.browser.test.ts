import { expect, test } from "vitest";
import { hideMissingPictures } from "./missingPictures.ts";

test("a picture that does not come leaves the panel behind it, its words stay, and it shows when it comes after all", () => {
  hideMissingPictures();
  const picture = document.body.appendChild(document.createElement("img"));
  picture.alt = "Baila";
  picture.dispatchEvent(new Event("error"));
  expect([picture.style.opacity, picture.alt]).toEqual(["0", "Baila"]);
  picture.dispatchEvent(new Event("load"));
  expect(picture.style.opacity).toBe("");
  picture.remove();
});
