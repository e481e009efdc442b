/**
 * A visitor who began on a release that this build does not ship (decision 195). In that release the first two questions had one more option each, and
 * one of these options led to a question that this build lacks.
 */
import { sampled } from "#test/sampled.ts";
import type { Page } from "@playwright/test";
import { call, linkIn, mailTo, personWith } from "./people.ts";
import { expect, longTest, type RunningSite, startSite, test } from "./site.ts";
import { storeRelease } from "./storedRelease.ts";
import { answer, currentQuestion, isAt, newVisitor, ready, tap, walkToBlock } from "./walk.ts";

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

const dropped = { questionId: 3, optionId: 9 };
/** A question that the build lacks, and the option of question 2 that leads to it. */
const droppedQuestion = 97;
const toDropped = 9;
const sameAnswer = { options: { [dropped.questionId]: dropped.optionId } };
const start = "/es-latam/habla-ingles/76/2/";

const olderRelease = (site: RunningSite) =>
  storeRelease(site, 2, ({ questions }) => {
    const question = questions.find(({ id }) => id === dropped.questionId);
    question?.options.push({ ...question.options[0], id: dropped.optionId });
    const first = questions.find(({ id }) => id === 2);
    first?.options.push({ ...first.options[0], id: toDropped, followUpQuestion: droppedQuestion });
    if (question !== undefined)
      questions.push({
        ...question,
        id: droppedQuestion,
        options: [{ ...question.options[0], id: 1, followUpQuestion: 3 }],
        followUps: [],
      });
  });

/** The stored state; null without one and during navigation. */
const kept = (page: Page) =>
  page
    .evaluate(() => {
      const state: unknown = JSON.parse(localStorage.getItem("questionnaireState") ?? "null");
      return state;
    })
    .catch(() => null);
const hasDropped = { selectedOptions: expect.arrayContaining([dropped]) };

async function answerDropped(page: Page, site: RunningSite, release: string): Promise<void> {
  await page.goto(`${site.url}${start}?release=${release}`);
  await ready(page);
  await answer(page, newVisitor());
  expect(await currentQuestion(page)).toBe(dropped.questionId);
  await answer(page, newVisitor(), sameAnswer);
  await expect.poll(() => kept(page)).toMatchObject({ ...hasDropped, release });
}

longTest("keeps the release and all answers over page loads, sign-up and another device", async ({ page, browser, site }) => {
  const release = await olderRelease(site);
  const visitor = newVisitor();
  await answerDropped(page, site, release);
  // The URL does not name the release, so a copied URL does not pass it on.
  expect(new URL(page.url()).search).toBe("");
  await page.goto(site.url + start);
  await expect.poll(() => kept(page)).toMatchObject({ ...hasDropped, release });
  await ready(page);
  await walkToBlock(page, "signupPassword", visitor, sameAnswer);
  await page.reload();
  await ready(page);
  await walkToBlock(page, "programPromise", visitor, sameAnswer);
  const saved = () => {
    const [row] = site.rows(
      "SELECT state FROM questionnaire_states q JOIN accounts a ON a.uuid = q.account_uuid WHERE a.email = ?",
      visitor.email,
    );
    return row === undefined ? null : JSON.parse(String(row["state"]));
  };
  await expect.poll(saved).toMatchObject({ ...hasDropped, release });

  const other = await browser.newContext();
  const there = await other.newPage();
  await there.goto(`${site.url}/es-latam/habla-ingles/76/usuario/`);
  await ready(there);
  await there.locator("input[type=email]").fill(visitor.email);
  await there.locator("input[type=password]").fill(visitor.password);
  await tap(there.getByRole("button", { name: "Entrar" }));
  await expect.poll(() => kept(there)).toMatchObject({ ...hasDropped, release });
  await other.close();
});

const languages = [
  ["a language with another default version", (question: number) => `/de/englisch-sprechen/76/${question}/`],
  ["the version's own language", (question: number) => `/es-latam/habla-ingles/76/${question}/`],
] as const;
for (const [language, path] of sampled(languages, 1))
  test(`a reload at a question that only the visitor's release has shows it again, in ${language}`, async ({ page, site }) => {
    const release = await olderRelease(site);
    await page.goto(`${site.url}${path(2)}?release=${release}`);
    await ready(page);
    await answer(page, newVisitor(), { options: { 2: toDropped } });
    expect(await currentQuestion(page)).toBe(droppedQuestion);
    await page.reload();
    await isAt(page, "questionnaire/question");
    expect(await currentQuestion(page)).toBe(droppedQuestion);
    await answer(page, newVisitor());
    expect(await currentQuestion(page)).toBe(3);
    expect(await kept(page)).toMatchObject({ selectedOptions: [{ questionId: 2 }, { questionId: droppedQuestion }], release });
    // A question that neither release has is still not found.
    await page.goto(site.url + path(9_998));
    await isAt(page, "not-found");
  });

const places = [
  ["a language with another default version", "/de/", "/de/englisch-sprechen/76/"],
  ["the version's own language", "/es-latam/", "/es-latam/habla-ingles/76/"],
] as const;
for (const [language, home, root] of sampled(places, 1))
  test(`a visitor at a question that is gone, with a release that is gone too, goes on by the answers, in ${language}`, async ({
    page,
    site,
  }) => {
    await page.goto(`${site.url}${root}2/`);
    await ready(page);
    for (let step = 0; step < 2; step += 1) await answer(page, newVisitor());
    const here = await currentQuestion(page);
    await page.evaluate((question) => {
      const state = JSON.parse(localStorage.getItem("questionnaireState") ?? "null");
      const later = { ...state, release: "0123456789ab", currentQuestionId: question };
      localStorage.setItem("questionnaireState", JSON.stringify(later));
    }, droppedQuestion);
    await page.goto(site.url + home);
    await ready(page);
    await page.locator("[data-bar] a").click();
    await isAt(page, "questionnaire/question");
    await page.waitForURL(`${site.url}${root}${here}/`);
    expect(await kept(page)).toMatchObject({ selectedOptions: [{ questionId: 2 }, {}], currentQuestionId: here });
  });

test("moves to the shipped release when every answer fits it", async ({ page, site }) => {
  const release = await olderRelease(site);
  await page.goto(`${site.url}${start}?release=${release}`);
  await ready(page);
  for (let step = 0; step < 3; step += 1) await answer(page, newVisitor());
  await expect.poll(() => kept(page)).toMatchObject({ release });
  const here = page.url();
  await page.goto(here);
  await ready(page);
  await answer(page, newVisitor());
  await expect.poll(() => kept(page)).not.toMatchObject({ release });
});

longTest("an unknown release shows the shipped page and keeps the answers that fit", async ({ page }) => {
  const site = await startSite();
  const release = await olderRelease(site);
  await answerDropped(page, site, release);
  site.change("DELETE FROM releases WHERE number = 2");
  await site.kill();
  await site.restart();
  await page.goto(site.url + start);
  await ready(page);
  await page.goto(`${site.url}/es-latam/habla-ingles/76/3/`);
  await ready(page);
  await answer(page, newVisitor());
  await expect.poll(() => kept(page)).toMatchObject({ selectedOptions: [{ questionId: 2 }, { questionId: 3 }] });
  expect(await kept(page)).not.toMatchObject({ release });
  await site.stop();
});

longTest(
  "a mailed link's target is followed in the visitor's release if it has that question, else the link leads to the saved one",
  async ({ browser, site }) => {
    const release = await olderRelease(site);
    const person = await personWith(
      site,
      [
        [2, 1],
        [dropped.questionId, 1],
      ],
      9,
    );
    site.change(
      "UPDATE questionnaire_states SET state = json_set(state, '$.release', ?, '$.selectedOptions[1].optionId', 9) WHERE account_uuid = ?",
      release,
      person.uuid,
    );
    const used: string[] = [];
    for (const [target, question] of [
      ["98", "9"],
      ["3", "3"],
    ] as const) {
      await call(site, "login-link", { email: person.email, target });
      const mail = await mailTo(site, person.email, /link\/login/, used);
      used.push(mail.id);
      // A device that knows nothing of the release.
      const device = await browser.newContext();
      const page = await device.newPage();
      await page.goto(linkIn(mail, /link\/login/));
      await tap(page.getByRole("button", { name: "Continuar" }));
      await isAt(page, "questionnaire/question");
      await expect(page.locator("main")).toHaveAttribute("data-question-id", question);
      expect(await kept(page)).toMatchObject({ ...hasDropped, release });
      await device.close();
    }
  },
);
