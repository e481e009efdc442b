/** Helpers for buyers: signing up and logging in, going to the checkout, and paying. */
import { buildPath } from "#core/routes.ts";
import type { Locale } from "#core/locales.ts";
import type { Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import { call } from "./people.ts";
import { countryHeader, expect, type RunningSite } from "./site.ts";
import { newVisitor, type Visitor, walkToBlock } from "./walk.ts";

/** The header with the visitor's country, for sites that are started with it. */

export interface Buyer extends Visitor {
  readonly uuid: string;
  readonly token: string;
}

/** Signs somebody up and logs them in on this device. Every request has the country. */
export async function comeAs(page: Page, site: RunningSite, locale: Locale, version: string, country: string): Promise<Buyer> {
  const person = { ...newVisitor(), uuid: randomUUID() };
  const { uuid, email, password, firstname } = person;
  await call(site, "signup", { uuid, email, password, firstname, uiLanguage: locale, questionnaire: version, version: "v5.7.8" });
  // Logs in with the browser's cookies, so that the account knows the device.
  const login = await page.request.post(`${site.url}/api/login`, { data: { email, password } });
  const { token, refreshToken } = await login.json();
  const state = {
    id: version,
    signupDone: true,
    finished: false,
    visitedQuestionIds: [2, 80],
    selectedOptions: [{ questionId: 2, optionId: 1 }],
    currentQuestionId: 80,
    user: { uuid, email, firstname },
    skillsToImprove: [],
    moreInfoOf: [],
    programChangeWish: [],
    days: [0, 2, 4],
  };
  await page.setExtraHTTPHeaders({ [countryHeader]: country });
  // A page without our script, which cannot write to the device meanwhile.
  await page.goto(`${site.url}/robots.txt`);
  await page.evaluate(
    ([kept, answers]) => {
      for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, String(value));
      localStorage.setItem("questionnaireState", answers);
    },
    [{ token, refreshToken, signupEmail: email, signupName: firstname }, JSON.stringify(state)] as const,
  );
  return { ...person, token: String(token) };
}

export async function toCheckout(page: Page, site: RunningSite, locale: Locale, version: string, plan?: string): Promise<void> {
  await page.goto(`${site.url}${buildPath("questionnaire/question", locale, { version, question: "80" })}`);
  // Opening a question resumes the saved state, a few steps before the plans.
  await walkToBlock(page, "price", newVisitor());
  const plans = page.locator("[data-block=price] [role=radio]");
  await expect(plans.first()).toBeVisible();
  if (plan !== undefined) await plans.filter({ hasText: plan }).first().click();
  await page.locator("main [data-option-id]").first().click();
  await expect(page.locator("[data-block=paddle]")).toBeVisible();
}

export async function payIn(page: Page, card: string): Promise<void> {
  const form = page.frameLocator("[data-block=paddle] iframe");
  await fill(form, card);
  await form.locator("form button").click();
}
export async function fill(form: Pick<Page, "locator">, card: string): Promise<void> {
  await form.locator("input[name=number]").fill(card);
  await form.locator("input[name=expiry]").fill("12 / 30");
  await form.locator("input[name=cvc]").fill("123");
  await form.locator("input[name=name]").fill("Lucía Ramos");
}
