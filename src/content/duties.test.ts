/** A locale's texts follow the law of some countries. Each locale has the texts of those countries' duties (`core/duties.ts`). */
import { readFileSync } from "node:fs";
import { type Duty, duties, dutiesIn, isDutyOf } from "#core/duties.ts";
import { audiences, lawCountries } from "#core/localeReach.ts";
import { type Locale, locales, localeTraits } from "#core/locales.ts";
import { withdrawals } from "#core/withdrawal.ts";
import { describe, expect, it } from "vitest";
import { type MailKey, mailTables } from "./texts/mail.ts";
import { questionnaireTexts } from "./texts/questionnaire.ts";
import { type UiKey, uiTables } from "./texts/ui.ts";
import { brand } from "./brand.ts";

const file = (locale: Locale, name: string) => readFileSync(new URL(`legal/${locale}/${name}.md`, import.meta.url), "utf8");
const terms = (locale: Locale) => file(locale, "terms-and-conditions");

interface Texts {
  readonly ui?: readonly UiKey[];
  readonly mail?: readonly MailKey[];
  /** What the terms or the privacy policy of a locale with the duty must contain. */
  readonly terms?: RegExp;
  readonly privacy?: RegExp;
}

/** The texts that each duty requires. */
const textsOf: Readonly<Record<Duty, Texts>> = {
  imprint: { ui: ["shell.duty.imprint", "meta.imprint.title", "imprint.provider", "imprint.represented", "imprint.contact"] },
  cancelButton: {
    ui: ["shell.duty.cancel", "contract.cancel.title", "contract.cancel.go", "contract.cancel.done"],
    mail: ["notice.cancel.subject", "notice.cancel.statement"],
    terms: /\(contract\/cancel\)/,
  },
  withdrawalButton: {
    ui: ["shell.duty.withdraw", "contract.withdraw.title", "contract.withdraw.go", "contract.withdraw.done", "block.payment.withdraw"],
    mail: ["notice.withdraw.subject", "notice.withdraw.statement", "receipt.withdraw", "receipt.withdrawUntil"],
    terms: /\(contract\/withdraw\)/,
  },
  renewalAfterTerm: { mail: ["cancelled.rest"], terms: /§ 309/ },
  storageConsent: { ui: ["consent.text", "consent.reject", "consent.settings"] },
  priorPrice: {},
  doNotSell: { ui: ["shell.duty.doNotSell", "shell.duty.notSold"], privacy: /Global Privacy Control/ },
  renewalReminder: { mail: ["renewal.subject", "renewal.text", "renewal.stop"] },
  renewalNotice: { mail: ["renewal.subject", "renewal.text", "renewal.stop"], terms: /15 días|76 Bis/ },
};

describe.each(locales)("in %s", (locale) => {
  it.each(duties.filter((duty) => isDutyOf(locale, duty)))("the texts fulfill the duty %s", (duty) => {
    const { ui = [], mail = [], terms: inTerms, privacy } = textsOf[duty];
    for (const key of ui) expect(uiTables[locale]?.[key], key).toMatch(/\S/);
    for (const key of mail) expect(mailTables[locale]?.[key], key).toMatch(/\S/);
    if (inTerms !== undefined) expect(terms(locale)).toMatch(inTerms);
    if (privacy !== undefined) expect(file(locale, "privacy-policy")).toMatch(privacy);
  });

  it("the terms name every country that the locale is written for, with its withdrawal period", () => {
    const names = new Intl.DisplayNames(localeTraits[locale].intl, { type: "region" });
    const said = terms(locale);
    for (const country of lawCountries[locale]) {
      const withdrawal = withdrawals[country];
      const named = said.includes(names.of(country) ?? country);
      const union = dutiesIn(country).includes("withdrawalButton") || country === "GB";
      expect([country, named || union]).toEqual([country, true]);
      if (withdrawal !== undefined) expect([country, new RegExp(`\\b${withdrawal.days}\\b`).test(said)]).toEqual([country, true]);
    }
  });

  it("the locale is written for the countries whose visitors get it", () => {
    expect(lawCountries[locale]).toEqual(expect.arrayContaining([...audiences[locale].countries]));
  });
});

it("the operator's legally required facts are present", () => {
  const { company } = brand;
  for (const fact of [
    company.name,
    company.representedBy,
    company.responsible,
    company.register,
    company.vatId,
    company.email,
    company.phone,
  ])
    expect(fact).toMatch(/\S/);
});

/** Wording that would bundle the privacy policy with the terms, or ask consent for what the contract itself covers. */
const bundles =
  /confirm|bestätig|datenschutzerklärung (zu|an)|withdraw your consent|widerruf|retirar es|retirar ess|retirar esse|revocare il consenso|hast gelesen|leíste|has leído|leu |aver letto|you’ve read/i;

it.each(locales)("in %s the sign-up accepts only the terms, and links to the privacy policy", (locale) => {
  const said = [
    uiTables[locale]?.["block.signupPassword.consent"],
    questionnaireTexts[locale]?.["password.consent"],
    questionnaireTexts[locale]?.["password.consent.data"],
  ];
  for (const text of said) {
    expect(text).toMatch(/\S/);
    expect(text).not.toMatch(bundles);
  }
});

/** How each locale says that the price stays the same. */
const samePrice = /same price|mismo precio|stesso prezzo|mesmo preço|selben Preis/;

it.each(locales)("in %s the order of every plan that renews says that the price stays the same", (locale) => {
  const texts = Object.entries(questionnaireTexts[locale] ?? {});
  const renewing = texts.filter(([key]) => /^plan\d+w?\.payment$/.test(key));
  expect(renewing.length).toBeGreaterThan(3);
  for (const [key, text] of renewing) expect(text, key).toMatch(samePrice);
});
