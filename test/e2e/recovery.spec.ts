/** Recovery from reloads, lost connections and a killed server, without loss of data. */
import { buildPath } from "#core/routes.ts";
import { emptySavedState } from "#test/savedState.ts";
import * as v from "valibot";
import { openAt } from "./answered.ts";
import { call, personWith } from "./people.ts";
import { expect, longTest, startSite, test } from "./site.ts";
import { answer, cards, currentQuestion, entitlementsOf, isAt, moved, newVisitor, pay, ready, tap, walkToBlock } from "./walk.ts";

const savedSchema = v.object({ state: v.object({ visitedQuestionIds: v.array(v.number()) }) });

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

test("a reload resumes with all answers", async ({ page, site }) => {
  const visitor = newVisitor();
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await ready(page);
  for (let step = 0; step < 6; step += 1) await answer(page, visitor);
  const before = await currentQuestion(page);
  await page.reload();
  await ready(page);
  expect(await currentQuestion(page)).toBe(before);
  await page.goBack();
  await expect(page.locator("main")).not.toHaveAttribute("data-question-id", String(before));
  while ((await currentQuestion(page)) !== 2) {
    const from = await currentQuestion(page);
    await page.goBack();
    await moved(page, from);
  }
  await expect(page.locator('main [data-option-id="1"]')).toHaveAttribute("aria-current", "true");
});

test("an answer in a tab that stayed behind keeps what was answered in another tab since", async ({ page, context, site }) => {
  const visitor = newVisitor();
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await ready(page);
  for (let step = 0; step < 3; step += 1) await answer(page, visitor);
  const other = await context.newPage();
  await other.goto(page.url());
  await ready(other);
  for (let step = 0; step < 4; step += 1) await answer(other, visitor);
  const stored = () =>
    page.evaluate((): readonly object[] => JSON.parse(localStorage.getItem("questionnaireState") ?? "{}").selectedOptions);
  const before = await stored();
  await page.bringToFront();
  await answer(page, visitor);
  expect(await stored()).toEqual(before);
  await other.reload();
  await ready(other);
  await answer(other, visitor);
  expect((await stored()).slice(0, before.length)).toEqual(before);
});

test("answers in another version, in another tab, leave those of this tab as they are", async ({ page, context, site }) => {
  const visitor = newVisitor();
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await ready(page);
  for (let step = 0; step < 3; step += 1) await answer(page, visitor);
  const stored = () =>
    page.evaluate((): { readonly id: string; readonly selectedOptions: readonly object[] } =>
      JSON.parse(localStorage.getItem("questionnaireState") ?? "{}"),
    );
  const before = await stored();
  const other = await context.newPage();
  await other.goto(`${site.url}/es-latam/habla-ingles/83/2/`);
  await ready(other);
  await answer(other, visitor);
  expect(await stored()).toMatchObject({ id: "83", selectedOptions: [{ questionId: 2 }] });
  await page.bringToFront();
  await answer(page, visitor);
  const { id, selectedOptions } = await stored();
  expect([id, selectedOptions.length]).toEqual(["76", 4]);
  expect(selectedOptions.slice(0, 3)).toEqual(before.selectedOptions);
});

longTest(
  "an account that has gone on in another version on another device is followed there, and keeps all its answers",
  async ({ page, site }) => {
    const person = await personWith(
      site,
      [
        [2, 1],
        [3, 1],
      ],
      4,
    );
    const { email, password, uuid } = person;
    await page.goto(site.url + buildPath("questionnaire/user", "es-419", { version: "76" }));
    await ready(page);
    await page.locator("input[type=email]").fill(email);
    await page.locator("input[type=password]").fill(password);
    await tap(page.getByRole("button", { name: "Entrar" }));
    await page.waitForURL(/habla-ingles\/76\/4\/$/);
    await expect.poll(() => page.evaluate(() => JSON.parse(localStorage.getItem("questionnaireState") ?? "{}").sync?.unsaved)).toBe(false);
    const { token } = await call(site, "login", { email, password });
    const visitedQuestionIds = [2, 3, 4, 9, 41, 42];
    const selectedOptions = visitedQuestionIds.map((questionId) => ({ questionId, optionId: 1 }));
    const state = { ...emptySavedState, id: "83", visitedQuestionIds, selectedOptions, currentQuestionId: 43, user: { uuid } };
    await call(site, "questionnaire", { state, userLevel: null }, String(token));
    await answer(page, person);
    await page.waitForURL(/habla-ingles\/83\/43\/$/);
    await ready(page);
    await answer(page, person);
    await expect
      .poll(() => JSON.parse(String(site.rows("SELECT state FROM questionnaire_states WHERE account_uuid = ?", uuid)[0]?.["state"])))
      .toMatchObject({ id: "83", visitedQuestionIds: [...visitedQuestionIds, 43] });
  },
);

test("a page that gets no animation frame comes alive all the same, also with stored answers", async ({ page, site }) => {
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await ready(page);
  await answer(page, newVisitor());
  await page.addInitScript(() => {
    const next = requestAnimationFrame.bind(window);
    // No frame until the page is hydrated.
    window.requestAnimationFrame = (work) => (document.documentElement.dataset["ready"] === "true" ? next(work) : 0);
  });
  await page.reload();
  // Playwright's other waits need animation frames.
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset["ready"])).toBe("true");
});

test("a tap on an option works without JavaScript", async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await tap(page.locator('main [data-option-id="2"]'));
  await expect(page.locator("main")).not.toHaveAttribute("data-question-id", "2");
  const second = await currentQuestion(page);
  expect(new URL(page.url()).searchParams.get("a")).toBe("2.2");
  await tap(page.locator("main [data-option-id]").first());
  await expect(page.locator("main")).not.toHaveAttribute("data-question-id", String(second));
  await context.close();
});

test("a taken address leads to the login with the address kept; another address continues the sign-up", async ({ page, site, browser }) => {
  const visitor = newVisitor();
  await openAt(page, "signupEmail", site);
  await walkToBlock(page, "signupName", visitor, { options: { 43: 3, 44: 3 } });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
  const again = await context.newPage();
  await openAt(again, "signupEmail", site);
  await walkToBlock(again, "signupEmail", visitor, { options: { 43: 3, 44: 3 } });
  await answer(again, visitor);
  await isAt(again, "questionnaire/user");
  await expect(again.locator("input[type=email]")).toHaveValue(visitor.email);
  // The skip link and a typed password do not remove the link to another address.
  await again.getByRole("link", { name: "Saltar al contenido" }).press("Enter");
  await expect(again.locator("main")).toBeFocused();
  await again.locator("input[type=password]").fill("no-es-la-mia");
  // Nor does a change of language.
  await again.getByRole("navigation").getByRole("combobox").selectOption("de-DE");
  await again.waitForURL(/\/de\//);
  await isAt(again, "questionnaire/user");
  await expect(again.locator("main")).toContainText(visitor.email);
  await again.getByRole("link", { name: "Andere Adresse verwenden" }).click();
  await isAt(again, "questionnaire/question");
  await expect(again.locator("input[type=email]")).toHaveValue(visitor.email);
  await walkToBlock(again, "signupName", newVisitor());
  await context.close();
});

test("after the sign-up no way back leads to the password: the browser's Back goes on where the visitor was, the page's arrow to the address", async ({
  page,
  site,
}) => {
  const visitor = newVisitor();
  await openAt(page, "signupEmail", site);
  await walkToBlock(page, "signupName", visitor, { options: { 43: 3, 44: 3 } });
  const name = await currentQuestion(page);
  const password = page.locator('[data-block="signupPassword"]');
  // The previous entry in the browser's history is the password question.
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`/76/${name}/$`));
  await expect(page.locator('[data-block="signupName"]')).toBeVisible();
  await expect(password).toHaveCount(0);
  await page.locator("nav a").first().click();
  await expect(page.locator('[data-block="signupEmail"]')).toBeVisible();
  await expect(page.locator("input[type=email]")).toHaveValue(visitor.email);
  await page.goto(`${site.url}/es-latam/habla-ingles/76/68/`);
  await expect(page.locator('[data-block="signupName"]')).toBeVisible();
  await expect(password).toHaveCount(0);
});

longTest(
  "Back from the login, shown because the session is over, leads to a question that can still be answered",
  async ({ page, site }) => {
    const visitor = newVisitor();
    await openAt(page, "signupEmail", site);
    await walkToBlock(page, "signupName", visitor, { options: { 43: 3, 44: 3 } });
    const name = await currentQuestion(page);
    await page.route("**/api/update-name", (route) => route.fulfill({ status: 401, json: { code: 1002, message: "Not signed in" } }));
    await page.locator("input[autocomplete=given-name]").fill(visitor.firstname);
    await tap(page.locator("main [data-option-id]"));
    await isAt(page, "questionnaire/user");
    await page.goBack();
    await isAt(page, "questionnaire/question");
    expect(await currentQuestion(page)).toBe(name);
    await answer(page, visitor);
    expect(await currentQuestion(page)).toBeGreaterThan(name);
    // The next login saves the name, so the visitor is not asked for it again.
    const firstname = () => site.rows("SELECT firstname FROM accounts WHERE email = ?", visitor.email)[0]?.["firstname"];
    expect(firstname()).toBeNull();
    await page.unroute("**/api/update-name");
    await page.goto(`${site.url}/es-latam/habla-ingles/76/usuario/`);
    await ready(page);
    await page.locator("input[type=password]").fill(visitor.password);
    await tap(page.locator("main button").filter({ hasText: "Entrar" }));
    await isAt(page, "questionnaire/question");
    expect(firstname()).toBe(visitor.firstname);
  },
);

test("where the session of an erased account is over, another account can be made: at the offer with the answers, at the login from the start", async ({
  page,
  site,
}) => {
  const person = await personWith(site, [[2, 1]], 3);
  const { email, password } = person;
  const logIn = async () => {
    await page.goto(site.url + buildPath("questionnaire/user", "es-419", { version: "76" }));
    await ready(page);
    await page.locator("input[type=email]").fill(email);
    await page.locator("input[type=password]").fill(password);
    await tap(page.locator("main button").filter({ hasText: "Entrar" }));
    await isAt(page, "questionnaire/question");
  };
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await logIn();
  const { token } = await call(site, "login", { email, password });
  const erased = await fetch(`${site.url}/api/account`, {
    method: "DELETE",
    headers: { "content-type": "application/json", authorization: `Bearer ${String(token)}` },
    body: JSON.stringify({ password }),
  });
  expect(erased.status).toBe(200);
  await page.reload();
  await isAt(page, "questionnaire/user");
  const stored = await page.evaluate(() => ({ ...localStorage }));

  await page.goto(site.url + buildPath("login/link", "es-419"));
  await ready(page);
  await tap(page.getByRole("link", { name: "Crear una cuenta" }));
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(2);
  await expect.poll(kept).not.toContain(email);

  await page.evaluate((items) => Object.entries(items).forEach(([key, value]) => localStorage.setItem(key, value)), stored);
  await page.goto(`${site.url}/es-latam/habla-ingles/76/80/`);
  await ready(page);
  await tap(page.getByRole("link", { name: "Crear mi cuenta" }));
  await expect(page.locator("input[type=email]")).toHaveValue("");
  const other = newVisitor();
  await walkToBlock(page, "price", other);
  expect(site.rows("SELECT firstname FROM accounts WHERE email = ?", other.email)).toEqual([{ firstname: other.firstname }]);
  await expect.poll(kept).not.toContain(email);
  expect(
    await page.evaluate((): readonly object[] => JSON.parse(localStorage.getItem("questionnaireState") ?? "{}").selectedOptions),
  ).toContainEqual({
    questionId: 2,
    optionId: 1,
  });
});

longTest("a lost connection during sign-up keeps the typed values and goes on by itself", async ({ page, site, context }) => {
  const visitor = newVisitor();
  await openAt(page, "signupEmail", site);
  await walkToBlock(page, "signupEmail", visitor, { options: { 43: 3, 44: 3 } });
  const question = await currentQuestion(page);
  await page.locator("input[type=email]").fill(visitor.email);
  await context.setOffline(true);
  await tap(page.locator("main [data-option-id]").first());
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toBeVisible();
  await expect(page.locator("input[type=email]")).toHaveValue(visitor.email);
  expect(await currentQuestion(page)).toBe(question);
  await context.setOffline(false);
  await expect(page.locator("main")).not.toHaveAttribute("data-question-id", String(question));
});

longTest(
  "a sign-up goes on by itself when the server is busy, when the answer is lost after the account was made, and when only the login fails",
  async ({ page, site }) => {
    const visitor = newVisitor();
    await openAt(page, "signupEmail", site);
    await walkToBlock(page, "signupPassword", visitor, { options: { 43: 3, 44: 3 } });
    const busy = { status: 503, headers: { "retry-after": "1" }, json: { code: 1503, message: "Not ready." } };
    const seen: string[] = [];
    await page.route("**/api/signup", async (route) => {
      seen.push("signup");
      if (seen.length === 1) return route.fulfill(busy);
      if (seen.length > 2) return route.continue();
      await route.fetch();
      await route.abort("connectionreset");
    });
    await page.route("**/api/login", async (route) => {
      seen.push("login");
      await (seen.at(-2) === "signup" ? route.fulfill(busy) : route.continue());
    });
    const question = await currentQuestion(page);
    await page.locator("input[autocomplete=new-password]").fill(visitor.password);
    await tap(page.locator("main [data-option-id]").first());
    await moved(page, question);
    expect(seen).toEqual(["signup", "signup", "signup", "login", "login"]);
    await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(0);
    expect(site.rows("SELECT uuid FROM accounts WHERE email = ?", visitor.email)).toHaveLength(1);
  },
);

longTest("a server killed and restarted during a visit loses nothing it has acknowledged", async ({ page }) => {
  const site = await startSite();
  try {
    const visitor = newVisitor();
    await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
    const acknowledged: number[][] = [];
    page.on("response", (response) => {
      if (!response.url().endsWith("/api/questionnaire") || response.request().method() !== "POST" || !response.ok()) return;
      acknowledged.push(v.parse(savedSchema, response.request().postDataJSON()).state.visitedQuestionIds);
    });
    await walkToBlock(page, "price", visitor, { options: { 43: 3, 44: 3 } });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(0);
    // Waits for the prices, which would be lost with the server.
    await expect(page.locator("[data-block=price] [role=radio]").first()).toBeVisible();
    await site.kill();
    await site.restart();
    const rows = site.rows(
      "SELECT state FROM questionnaire_states q JOIN accounts a ON a.uuid = q.account_uuid WHERE a.email = ?",
      visitor.email,
    );
    expect(rows).toHaveLength(1);
    const stored: unknown = JSON.parse(String(rows[0]?.["state"]));
    expect(stored).toMatchObject({ signupDone: true, visitedQuestionIds: expect.arrayContaining(acknowledged.at(-1) ?? []) });
    await walkToBlock(page, "paddle", visitor);
    await pay(page, cards.good);
    await isAt(page, "questionnaire/thank-you");
    await expect.poll(() => entitlementsOf(site, visitor.email).length).toBe(1);
  } finally {
    await site.stop();
  }
});
