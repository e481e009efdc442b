import { expect, test } from "vitest";
import { hideMissingPictures } from "./missingPictures.ts";

test("a picture that fails to load is hidden, its alternative text stays, and it shows if it loads later", () => {
  hideMissingPictures();
  const picture = document.body.appendChild(document.createElement("img"));
  picture.alt = "Baila";
  picture.dispatchEvent(new Event("error"));
  expect([picture.style.opacity, picture.alt]).toEqual(["0", "Baila"]);
  picture.dispatchEvent(new Event("load"));
  expect(picture.style.opacity).toBe("");
  picture.remove();
});
