import { expect, it } from "vitest";
import { marketingConsentCountries } from "./countries.ts";

it("marketing needs consent in the EU and the EEA, the United Kingdom, Switzerland and Brazil (spec 000 §9)", () => {
  const union = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");
  expect([...marketingConsentCountries].toSorted()).toEqual([...union, "IS", "LI", "NO", "GB", "CH", "BR"].toSorted());
});
