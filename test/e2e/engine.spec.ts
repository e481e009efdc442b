/** The questionnaire's rules (spec 000 §4), each by the page's buttons against the running server. Questions are opened by their address. */
import { buildPath } from "#core/routes.ts";
import type { Browser, Page } from "@playwright/test";
import { personWith } from "./people.ts";
import { expect, type RunningSite, test } from "./site.ts";
import { type Draft, storeRelease } from "./storedRelease.ts";
import { answer, currentQuestion, isAt, newVisitor, ready, tap } from "./walk.ts";

const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
test.use(phone);

const path = (question: number) => buildPath("questionnaire/question", "es-419", { version: "76", question: String(question) });
const yes = 1;
const maybe = 2;
const no = 3;

/** The state on the device. */
const stored = (page: Page) => page.evaluate((): unknown => JSON.parse(localStorage.getItem("questionnaireState") ?? "null"));

/** Opens a question as a new visitor and gives these answers in turn. */
async function walk(browser: Browser, site: RunningSite, question: number, answers: readonly number[], query = ""): Promise<Page> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(site.url + path(question) + query);
  await ready(page);
  for (const optionId of answers) await answer(page, newVisitor(), { options: { [await currentQuestion(page)]: optionId } });
  return page;
}

/** The question after these answers. */
async function after(...way: Parameters<typeof walk>): Promise<number> {
  const page = await walk(...way);
  const question = await currentQuestion(page);
  await page.context().close();
  return question;
}

const option = (page: Page, id: number) => page.locator(`main [data-option-id="${id}"]`);

test("begins at question 2 with nothing answered; an answer records question and option, and another one replaces it", async ({
  browser,
  site,
}) => {
  const page = await walk(browser, site, 2, []);
  await expect
    .poll(() => stored(page))
    .toMatchObject({
      signupDone: false,
      finished: false,
      visitedQuestionIds: [],
      selectedOptions: [],
      currentQuestionId: 2,
    });
  await answer(page, newVisitor(), { options: { 2: 1 } });
  await answer(page, newVisitor(), { options: { 3: 1 } });
  expect(await stored(page)).toMatchObject({
    visitedQuestionIds: [2, 3],
    selectedOptions: [
      { questionId: 2, optionId: 1 },
      { questionId: 3, optionId: 1 },
    ],
    currentQuestionId: 4,
  });
  await page.goto(site.url + path(2));
  await ready(page);
  await answer(page, newVisitor(), { options: { 2: 2 } });
  expect(await stored(page)).toMatchObject({
    visitedQuestionIds: [2],
    selectedOptions: [{ questionId: 2, optionId: 2 }],
    currentQuestionId: 3,
  });
});

test("the last level question leads to 54 whatever the answer; two No, or one No and two Maybe, lead to 53", async ({ browser, site }) => {
  expect([await after(browser, site, 52, [yes]), await after(browser, site, 51, [no, no])]).toEqual([54, 54]);
  expect(await after(browser, site, 43, [no, yes, no])).toBe(53);
  expect(await after(browser, site, 43, [maybe, yes, yes, maybe, no])).toBe(53);
  expect(await after(browser, site, 43, [no, yes, maybe])).toBe(46);
});

test("the question for the target level, opened without answers before it, offers a beginner's targets, or asks for the level where it is chosen", async ({
  browser,
  site,
}) => {
  const page = await walk(browser, site, 55, [1]);
  expect(await currentQuestion(page)).toBe(56);
  await expect(option(page, 1)).toBeVisible();
  await answer(page, newVisitor(), { options: { 56: 1 } });
  expect(await currentQuestion(page)).toBe(57);

  await page.goto(site.url + buildPath("questionnaire/question", "es-419", { version: "69", question: "56" }));
  await expect(page.locator("main")).toHaveAttribute("data-question-id", "55");
  await ready(page);
  await answer(page, newVisitor(), { options: { 55: 3 } });
  expect(await currentQuestion(page)).toBe(56);
  await expect(option(page, 3)).toBeVisible();
  await expect(option(page, 1)).toHaveCount(0);
});

test("ToHomePage leads home and keeps the question; ToPrevious leads to the second-last question, and is an error without one", async ({
  browser,
  site,
}) => {
  const leaving = await walk(browser, site, 37, []);
  await tap(option(leaving, 4));
  await isAt(leaving, "home");
  expect(await stored(leaving)).toMatchObject({ currentQuestionId: 37 });

  const back = await walk(browser, site, 43, [no, no]);
  await tap(option(back, 2));
  await expect(back.locator("main")).toHaveAttribute("data-question-id", "44");
  expect(await stored(back)).toMatchObject({ visitedQuestionIds: [43], currentQuestionId: 44 });

  const lost = await walk(browser, site, 53, []);
  await tap(option(lost, 2));
  await expect(lost.getByRole("alert").filter({ hasText: "Algo falló" })).toBeVisible();
  expect(await currentQuestion(lost)).toBe(53);
  await expect.poll(() => site.log()).toContain("No history to go backwards!");
});

test("after an option that leads back, the browser's Back leads to no question that the answers no longer lead to", async ({
  browser,
  site,
}) => {
  const page = await walk(browser, site, 43, [yes, yes, yes, no, no]);
  await tap(option(page, 2));
  await expect(page.locator("main")).toHaveAttribute("data-question-id", "47");
  await page.goBack();
  await expect(page).toHaveURL(site.url + path(47));
  for (const question of [47, 53]) {
    await expect(page.locator("main")).toHaveAttribute("data-question-id", String(question));
    await answer(page, newVisitor(), { options: { 47: no, 53: 1 } });
  }
  expect(await stored(page)).toMatchObject({ visitedQuestionIds: [43, 44, 45, 46, 47, 53], currentQuestionId: 55 });
});

test("Back after a reload leads to no question that the answers no longer lead to, also before the script has loaded", async ({
  browser,
  site,
}) => {
  const page = await walk(browser, site, 43, [yes, yes, yes, no, no]);
  await tap(option(page, 2));
  await expect(page.locator("main")).toHaveAttribute("data-question-id", "47");
  const mayLoad = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await mayLoad.promise;
    await route.continue();
  });
  await page.reload({ waitUntil: "domcontentloaded" });
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(site.url + path(53));
  mayLoad.resolve();
  await expect(page).toHaveURL(site.url + path(47));
  await expect(page.locator("main")).toHaveAttribute("data-question-id", "47");
});

/** Version 76, in which several follow-ups compete and one is missing. */
function competing({ questions, schedules }: Draft): void {
  const question = (id: number) => questions.find((one) => one.id === id);
  const always = { rules: [] };
  question(3)?.followUps?.push({ requirements: always, followUpQuestion: 14 });
  const offered = question(60);
  if (offered !== undefined) offered.followUps = [{ requirements: { rules: [{ questionId: 59, optionId: 2 }] }, followUpQuestion: 66 }];
  for (const schedule of schedules) if (schedule.id === 2) schedule.followUpQuestion = 64;
  for (const one of question(14)?.options ?? []) delete one["followUpQuestion"];
}

test("then come the first follow-up that holds, the chosen schedule's, and the option's; without one it is an error", async ({
  browser,
  site,
}) => {
  const query = `?release=${await storeRelease(site, 3, competing)}`;
  // For visitors who learn for work, both follow-ups of question 3 apply; for all others, only the second.
  expect([await after(browser, site, 2, [1, 1], query), await after(browser, site, 2, [6, 1], query)]).toEqual([4, 14]);
  // `answer` chooses schedule 2.
  expect([await after(browser, site, 59, [2, 1], query), await after(browser, site, 59, [3, 1], query)]).toEqual([66, 64]);
  expect(await after(browser, site, 59, [3, 1])).toBe(61);

  const stuck = await walk(browser, site, 14, [], query);
  await tap(option(stuck, 1));
  await expect(stuck.getByRole("alert").filter({ hasText: "Algo falló" })).toBeVisible();
  expect(await currentQuestion(stuck)).toBe(14);
  await expect.poll(() => site.log()).toContain("No followUpId found!");
});

test("the program view finishes the questionnaire; what is saved has the schedule and its end but no password", async ({ page, site }) => {
  const person = await personWith(site, [[2, 1]], 60);
  await page.goto(site.url + buildPath("questionnaire/user", "es-419", { version: "76" }));
  await ready(page);
  await page.locator("input[type=email]").fill(person.email);
  await page.locator("input[type=password]").fill(person.password);
  await tap(page.getByRole("button", { name: "Entrar" }));
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(60);
  const saved = (): unknown => {
    const [row] = site.rows("SELECT state FROM questionnaire_states WHERE account_uuid = ?", person.uuid);
    return JSON.parse(String(row?.["state"] ?? "null"));
  };
  expect(saved()).not.toHaveProperty("studySchedule");
  await answer(page, person);
  await expect.poll(saved).toMatchObject({ schedule: 2, finished: false, signupDone: true });
  const { studySchedule, programEndDate } = Object.assign({ studySchedule: { months: 0 }, programEndDate: "" }, saved());
  const end = new Date();
  end.setMonth(end.getMonth() + studySchedule.months);
  end.setDate(end.getDate() - 1);
  expect(studySchedule.months).toBeGreaterThan(0);
  expect(programEndDate).toBe(end.toLocaleDateString("sv-SE"));

  await page.goto(site.url + path(76));
  await ready(page);
  await answer(page, person);
  await expect.poll(saved).toMatchObject({ finished: true, finishedTimestamp: expect.stringMatching(/^\d{4}-/) });
  expect(JSON.stringify(saved())).not.toContain("password");
  expect(JSON.stringify(saved())).not.toContain(person.password);
});
