import { describe, expect, it, test } from "vitest";
import { contractHasDuty, countriesWithDuties, type Duty, duties, dutiesIn, isDutyOf } from "./duties.ts";
import { lawCountries } from "./localeReach.ts";
import { locales } from "./locales.ts";
import { calendarDays, displayedWithdrawalDays, toldWithdrawalDays, withdrawalDays, withdrawals } from "./withdrawal.ts";

describe("the table of duties", () => {
  it("has the expected duties for each country", () => {
    const german: readonly Duty[] = ["imprint", "cancelButton", "withdrawalButton", "renewalAfterTerm", "storageConsent", "priorPrice"];
    expect(dutiesIn("DE").toSorted()).toEqual(german.toSorted());
    expect(dutiesIn("AR")).toEqual(expect.arrayContaining(["cancelButton", "withdrawalButton"]));
    expect(dutiesIn("US").toSorted()).toEqual(["doNotSell", "renewalReminder"]);
    expect(dutiesIn("MX")).toEqual(["imprint", "renewalNotice"]);
    for (const country of ["AT", "ES", "IT", "PT"]) expect(dutiesIn(country)).toContain("withdrawalButton");
    expect([dutiesIn("JP"), dutiesIn("toString")]).toEqual([[], []]);
  });

  it("has a row for every country that a locale is written for", () => {
    for (const locale of locales) for (const country of lawCountries[locale]) expect(countriesWithDuties).toContain(country);
  });

  it("every duty applies in some locale, and only the imprint applies in all", () => {
    for (const duty of duties) {
      const having = locales.filter((locale) => isDutyOf(locale, duty));
      expect([duty, having.length > 0]).toEqual([duty, true]);
      if (duty !== "imprint") expect([duty, having.length < locales.length]).toEqual([duty, true]);
    }
  });
});

test("a contract has the duties of its locale and of its buyer's country", () => {
  expect(contractHasDuty("renewalAfterTerm", { locale: "de-DE", country: null })).toBe(true);
  expect(contractHasDuty("renewalAfterTerm", { locale: "es-ES", country: "ES" })).toBe(false);
  expect(contractHasDuty("renewalAfterTerm", { locale: "es-ES", country: "DE" })).toBe(true);
  expect(contractHasDuty("renewalAfterTerm", { locale: "de-DE", country: "US" })).toBe(true);
});

test("a contract has the longest withdrawal period that may apply, and business days are never rounded down", () => {
  expect(withdrawals["BR"]).toMatchObject({ days: 7, law: "art. 49 CDC" });
  expect([5, 6].map((days) => calendarDays({ days, counted: "business" }))).toEqual([10, 17]);
  expect(calendarDays({ days: 7, counted: "calendar" })).toBe(7);
  expect(withdrawalDays({ locale: "de-DE", country: null })).toBe(14);
  expect(withdrawalDays({ locale: "es-419", country: "MX" })).toBe(10);
  expect(withdrawalDays({ locale: "es-419", country: "ES" })).toBe(14);
  expect(withdrawalDays({ locale: "pt-BR", country: "BR" })).toBe(14);
});

test("every country that requires a page for withdrawals has a withdrawal period", () => {
  const requiring = countriesWithDuties.filter((country) => dutiesIn(country).includes("withdrawalButton"));
  expect(requiring.filter((country) => withdrawals[country] === undefined)).toEqual([]);
});

test("a buyer is told the calendar days of their own country's period, where its law requires the page", () => {
  expect(["DE", "AT", "BR", "AR"].map(toldWithdrawalDays)).toEqual([14, 14, 7, 10]);
  expect(["CH", "GB", "MX", "US", "??"].map(toldWithdrawalDays)).toEqual([0, 0, 0, 0, 0]);
  const told = countriesWithDuties.filter((country) => toldWithdrawalDays(country) > 0);
  expect(told.filter((country) => withdrawals[country]?.counted !== "calendar")).toEqual([]);
});

test("a page names the withdrawal period of the country that requires the page", () => {
  expect(locales.map((locale) => [locale, displayedWithdrawalDays(locale)])).toEqual([
    ["en-US", 14],
    ["es-419", 10],
    ["es-ES", 14],
    ["pt-BR", 7],
    ["it-IT", 14],
    ["de-DE", 14],
  ]);
});
