/** Returning to a plan: a link's discount survives every kind of login, and the account's plan decides where the login leads. */
import { uiTexts } from "#content/texts/ui.ts";
import { emptySavedState } from "#test/savedState.ts";
import { buildPath } from "#core/routes.ts";
import type { Page } from "@playwright/test";
import { call, hadPlan, hasPlan, linkIn, mailTo, type Person, personWith } from "./people.ts";
import { expect, longTest, type RunningSite, test } from "./site.ts";
import { answer, blockStorage, cards, currentQuestion, entitlementsOf, isAt, newVisitor, pay, ready, tap, walkToBlock } from "./walk.ts";

const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
test.use(phone);

const locale = "es-419";
const reactivatePath = (discount: string) => `${buildPath("questionnaire/reactivate", locale, { version: "76" })}?discount=${discount}`;
const press = (page: Page, name: string) => tap(page.getByRole("button", { name }));
const ordersOf = (site: RunningSite, { uuid }: Person) =>
  site.rows("SELECT product_id, price, coupon_code, status FROM orders WHERE account_uuid = ? AND id NOT LIKE 'old-%'", uuid);

/** Somebody whose plan has ended, with half of the questions answered. */
async function lapsed(site: RunningSite): Promise<Person> {
  const person = await personWith(site, [[2, 1]], 3);
  hadPlan(site, person.uuid);
  return person;
}

/** Logs in with the password, and goes on where the answers end. */
async function comesBack(page: Page, site: RunningSite, person: Person): Promise<void> {
  await page.goto(site.url + buildPath("questionnaire/user", locale, { version: "76" }));
  await ready(page);
  await page.locator("input[type=email]").fill(person.email);
  await logIn(page, person.password);
  await isAt(page, "questionnaire/question");
}

async function askForLink(page: Page, person: Person): Promise<void> {
  await isAt(page, "login/link");
  await page.locator("input[type=email]").fill(person.email);
  await press(page, "Mándame el enlace");
  await isAt(page, "login/link-sent");
}

async function logIn(page: Page, password: string): Promise<void> {
  await isAt(page, "questionnaire/user");
  await page.locator("input[type=password]").fill(password);
  await press(page, "Entrar");
}

async function paysTheDiscount(page: Page, site: RunningSite, person: Person): Promise<void> {
  await page.waitForURL(/reactivar\/\?discount=VUELVE30/);
  await ready(page);
  await expect(page.locator("[data-block=paddle] iframe")).toBeVisible();
  await pay(page, cards.good);
  await isAt(page, "questionnaire/start-level-test");
  expect(ordersOf(site, person)).toEqual([
    { product_id: "subscription-6m-mxn", price: 83_580, coupon_code: "VUELVE30", status: "completed" },
  ]);
  await expect.poll(() => entitlementsOf(site, person.email).map(({ status }) => status)).toContain("active");
}

test("a discount survives the login by link up to the charge; afterwards the plan can be managed and nothing is charged again", async ({
  page,
  site,
}) => {
  const person = await lapsed(site);
  await page.goto(site.url + reactivatePath("VUELVE30"));
  await askForLink(page, person);
  const link = linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/);
  expect(new URL(link).searchParams.get("discount")).toBe("VUELVE30");
  await page.goto(link);
  await paysTheDiscount(page, site, person);
  await page.goto(site.url + reactivatePath("VUELVE30"));
  await isAt(page, "handle-your-subscription");
  expect(ordersOf(site, person)).toHaveLength(1);
});

test("a discount survives a wrong and a right password up to the charge", async ({ page, site }) => {
  const person = await lapsed(site);
  await page.goto(site.url + reactivatePath("VUELVE30"));
  await isAt(page, "login/link");
  await page.getByRole("link", { name: "Entrar con contraseña" }).click();
  await isAt(page, "questionnaire/user");
  await page.locator("input[type=email]").fill(person.email);
  await logIn(page, "not my password");
  await isAt(page, "recover-password");
  await page.getByRole("link", { name: "Reintentar con contraseña" }).click();
  await logIn(page, person.password);
  await paysTheDiscount(page, site, person);
});

test("a discount survives the login by code and a look at the other choice; choosing a new plan resumes the account's answers", async ({
  page,
  site,
}) => {
  const person = await lapsed(site);
  await page.goto(site.url + reactivatePath("VUELVE30"));
  await askForLink(page, person);
  const code = /^\d{6}$/m.exec((await mailTo(site, person.email, /link\/login/)).text)?.[0] ?? "";
  await page.getByLabel("Código del correo").fill(code);
  await press(page, "Entrar");
  await page.waitForURL(/reactivar\/\?discount=VUELVE30/);
  await isAt(page, "questionnaire/reactivate");
  // Looking at the other choice does not cost the discount.
  await page.getByRole("link", { name: "Prefiero un plan nuevo" }).click();
  await isAt(page, "questionnaire/reactivate-or-new");
  await page.getByRole("link", { name: "Seguir con mi programa" }).click();
  await page.waitForURL(/reactivar\/\?discount=VUELVE30/);
  await isAt(page, "questionnaire/reactivate");
  // The other choice: a new plan from the account's answers.
  await page.getByRole("link", { name: "Prefiero un plan nuevo" }).click();
  await isAt(page, "questionnaire/reactivate-or-new");
  await press(page, "Empezar un plan nuevo");
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(3);
});

test("the choice of a new plan on a page of another version goes on in the account's version; starting anew in another one is saved", async ({
  page,
  site,
}) => {
  const person = await lapsed(site);
  const in83 = (route: "questionnaire/user" | "questionnaire/reactivate" | "questionnaire/new-confirm") =>
    site.url + buildPath(route, locale, { version: "83" });
  await page.goto(in83("questionnaire/user"));
  await ready(page);
  await page.locator("input[type=email]").fill(person.email);
  await logIn(page, person.password);
  await isAt(page, "questionnaire/reactivate");
  await page.goto(`${in83("questionnaire/reactivate")}?discount=VUELVE30`);
  await isAt(page, "questionnaire/reactivate");
  await page.getByRole("link", { name: "Prefiero un plan nuevo" }).click();
  await page.waitForURL(/76\/reactivar-o-empezar\/\?discount=VUELVE30/);
  await isAt(page, "questionnaire/reactivate-or-new");
  await press(page, "Empezar un plan nuevo");
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(3);
  expect(page.url()).toContain("/76/");

  await page.goto(in83("questionnaire/new-confirm"));
  await isAt(page, "questionnaire/new-confirm");
  // The device does not have the account's state.
  await page.evaluate(() => localStorage.removeItem("questionnaireState"));
  await page.reload();
  await isAt(page, "questionnaire/new-confirm");
  await press(page, "Sí, empezar de nuevo");
  await isAt(page, "questionnaire/question");
  const saved = () =>
    site.rows("SELECT state FROM questionnaire_states WHERE account_uuid = ?", person.uuid).map((row) => JSON.parse(String(row["state"])));
  await expect.poll(saved).toEqual([expect.objectContaining({ id: "83", selectedOptions: [] })]);
  expect(saved()[0].user).toMatchObject({ uuid: person.uuid, email: person.email, firstname: person.firstname });
});

longTest(
  "the reactivation page of another version gives the form the account's address, and the page after it masks it",
  async ({ page, site }) => {
    const person = await personWith(site, [[2, 1]], 3);
    await comesBack(page, site, person);
    hadPlan(site, person.uuid);
    await page.goto(`${site.url}${buildPath("questionnaire/reactivate", locale, { version: "83" })}?discount=VUELVE30`);
    await isAt(page, "questionnaire/reactivate");
    const form = page.frameLocator("[data-block=paddle] iframe");
    await expect(form.locator("input[type=email]")).toHaveValue(person.email);
    await paysTheDiscount(page, site, person);
    await expect(page.getByRole("main")).toContainText(/l\S+@example\.com/);
    await expect(page.getByRole("main")).not.toContainText(person.email);
  },
);

/** The tokens of a session that is over. */
async function endSession(page: Page): Promise<void> {
  const expired = `h.${Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url")}.s`;
  await page.evaluate((token) => {
    localStorage.setItem("token", token);
    localStorage.setItem("refreshToken", "ended");
  }, expired);
}

test("a discount survives the login of a customer whose session is over", async ({ page, site }) => {
  const person = await lapsed(site);
  await page.goto(site.url + buildPath("legal/terms-and-conditions", locale));
  await ready(page);
  await endSession(page);
  await page.goto(site.url + reactivatePath("VUELVE30"));
  await isAt(page, "questionnaire/user");
  await page.locator("input[type=email]").fill(person.email);
  await logIn(page, person.password);
  await paysTheDiscount(page, site, person);
});

test("whoever makes an account where somebody is signed in comes to a sign-up, and the account that was signed in keeps its answers", async ({
  page,
  site,
}) => {
  const person = await personWith(site, [[2, 1]], 3);
  await comesBack(page, site, person);
  await page.goto(site.url + buildPath("login/link", locale));
  await ready(page);
  await tap(page.getByRole("link", { name: "Crear una cuenta" }));
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(2);
  const other = newVisitor();
  await walkToBlock(page, "price", other, { options: { 2: 2 } });
  expect(site.rows("SELECT firstname FROM accounts WHERE email = ?", other.email)).toEqual([{ firstname: other.firstname }]);
  const [saved] = site.rows("SELECT state FROM questionnaire_states WHERE account_uuid = ?", person.uuid);
  expect(JSON.parse(String(saved?.["state"])).selectedOptions).toEqual([{ questionId: 2, optionId: 1 }]);
});

test("starting over leads to the questions also where the session is over", async ({ page, site }) => {
  await page.goto(site.url + buildPath("legal/terms-and-conditions", locale));
  await ready(page);
  await endSession(page);
  // As on a slow connection.
  await page.route("**/api/config?**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await page.goto(site.url + buildPath("home-redirect", locale));
  await page.waitForURL(/\/2\/$/);
  await isAt(page, "questionnaire/question");
});

longTest("starting over leads to the questions where the session is over and the last answer was not saved", async ({ page, site }) => {
  await page.goto(site.url + buildPath("legal/terms-and-conditions", locale));
  await ready(page);
  await endSession(page);
  const answers = { visitedQuestionIds: [2], selectedOptions: [{ questionId: 2, optionId: 1 }], currentQuestionId: 3 };
  const sync = { savedAt: "2026-01-01T00:00:00.000Z", synced: 0, unsaved: true };
  await page.evaluate((state) => localStorage.setItem("questionnaireState", JSON.stringify(state)), {
    ...emptySavedState,
    ...answers,
    sync,
  });
  // As on a slow connection.
  await page.route("**/api/config?**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await page.goto(site.url + buildPath("home-redirect", locale));
  await page.waitForURL(/\/2\/$/);
  await isAt(page, "questionnaire/question");
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem("questionnaireState") ?? "{}").selectedOptions ?? [])).toEqual([]);
});

test("a link that no longer works says so where the session is over, too", async ({ page, site }) => {
  for (const [path, route, heading] of [
    [`${buildPath("link/login", locale)}?token=used`, "login/expired", uiTexts(locale)["login_link_expired_title"]],
    [`${buildPath("link/confirm-email", locale)}?confirm_token=old`, "link/confirm-email", uiTexts(locale)["page.confirm-email.failed"]],
  ] as const) {
    await page.goto(site.url + buildPath("legal/terms-and-conditions", locale));
    await ready(page);
    await page.evaluate(() => localStorage.setItem("signupEmail", "ana@example.com"));
    await endSession(page);
    await page.goto(site.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(String(heading));
    await isAt(page, route);
    await expect(page.locator(`main a[href="${buildPath("login/link", locale)}"]`)).toBeVisible();
  }
});

const savedVersionOf = (site: RunningSite, { uuid }: Person) =>
  site.rows("SELECT version FROM questionnaire_states WHERE account_uuid = ?", uuid)[0]?.["version"];

test("a customer whose login led to the plan's page keeps the answers when a page of another version is opened", async ({ page, site }) => {
  const person = await personWith(site, [[2, 1]], 3);
  hasPlan(site, person.uuid);
  // The login's page belongs to another version than the account.
  await page.goto(site.url + buildPath("questionnaire/user", locale, { version: "83" }));
  await page.locator("input[type=email]").fill(person.email);
  await logIn(page, person.password);
  await isAt(page, "handle-your-subscription");
  const asked = page.waitForResponse((response) => response.url().includes("/api/questionnaire?"));
  await page.goto(site.url + buildPath("questionnaire/question", locale, { version: "83", question: "2" }));
  await asked;
  await ready(page);
  await tap(page.locator("main [data-option-id]").first());
  await page.waitForURL(/\/83\/3\//);
  await page.goto(site.url + buildPath("questionnaire/question", locale, { version: "76", question: "2" }));
  await page.waitForURL(/\/76\/3\//);
  expect(savedVersionOf(site, person)).toEqual("76");
});

longTest("a link to a question that is answered already leads on from it by the same answer", async ({ page, site }) => {
  const person = await personWith(
    site,
    [
      [2, 1],
      [3, 1],
    ],
    4,
  );
  await call(site, "login-link", { email: person.email, target: "3" });
  await page.goto(linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/));
  await press(page, "Continuar");
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(3);
  await answer(page, person);
  expect(await currentQuestion(page)).toBe(4);
});

test("in version 69 a known address leads to reactivation: directly with the right password, through the login with a wrong one", async ({
  page,
  site,
  browser,
}) => {
  const person = await personWith(site, [[2, 1]], 3);
  await page.goto(`${site.url}/es-latam/habla-ingles/69/2/`);
  await walkToBlock(page, "signupPassword", { ...newVisitor(), email: person.email });
  const here = page.url();
  const other = await browser.newContext({ ...phone, storageState: await page.context().storageState() });
  const there = await other.newPage();
  await page.locator("input[autocomplete=new-password]").fill(person.password);
  await tap(page.locator("main [data-option-id]").first());
  // The account's own version, with its name and answers.
  await page.waitForURL(/76\/reactivar\/\?discount=PARLANDO50/);
  await isAt(page, "questionnaire/reactivate");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(person.firstname);
  await expect(page.locator("[data-block=paddle] iframe")).toBeVisible();
  expect(savedVersionOf(site, person)).toEqual("76");

  await there.goto(here);
  await ready(there);
  await there.locator("input[autocomplete=new-password]").fill("somebody else's 9");
  await tap(there.locator("main [data-option-id]").first());
  await isAt(there, "login/link");
  await expect(there.locator("input[type=email]")).toHaveValue(person.email);
  await askForLink(there, person);
  await there.goto(linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/));
  await there.waitForURL(/reactivar\/\?discount=PARLANDO50/);
  await isAt(there, "questionnaire/reactivate");
  await expect(there.locator("[data-block=paddle] iframe")).toBeVisible();
  await other.close();
});

longTest(
  "in version 69 a known address leads to reactivation, with the discount, where the browser blocks its storage",
  async ({ page, site }) => {
    const person = await personWith(site, [[2, 1]], 3, "69");
    await blockStorage(page);
    await page.goto(`${site.url}/es-latam/habla-ingles/69/2/`);
    await walkToBlock(page, "signupPassword", { ...newVisitor(), email: person.email });
    await page.locator("input[autocomplete=new-password]").fill(person.password);
    await tap(page.locator("main [data-option-id]").first());
    await isAt(page, "questionnaire/reactivate");
    expect(new URL(page.url()).pathname).toContain("/69/");
    await expect(page.locator("[data-block=paddle] iframe")).toBeVisible();
    expect(ordersOf(site, person)).toMatchObject([{ coupon_code: "PARLANDO50" }]);
  },
);

test("starting over forgets the signed-in person for good", async ({ page, site, context }) => {
  const person = await personWith(site, [[2, 1]], 3);
  await comesBack(page, site, person);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("questionnaireState"))).toContain(person.email);
  const other = await context.newPage();
  await other.goto(page.url());
  await ready(other);
  const root = `${site.url}${buildPath("questionnaire/root", locale, { version: "76" })}`;
  await page.goto(root);
  await ready(page);
  expect(await currentQuestion(page)).toBe(2);

  await page.goto(`${site.url}${buildPath("home-redirect", locale)}`);
  await isAt(page, "questionnaire/question");
  await isAt(other, "login/link");
  for (const tab of [page, other]) {
    await tab.goto(root);
    await ready(tab);
    expect(await currentQuestion(tab)).toBe(2);
    // Unsent events contain the visit's id until the server has them.
    const kept = () => tab.evaluate(() => JSON.stringify({ ...localStorage }));
    for (const mine of [person.email, person.firstname, person.uuid]) await expect.poll(kept).not.toContain(mine);
    expect(await tab.evaluate(() => localStorage.getItem("token"))).toBeNull();
  }
  expect(site.rows("SELECT state FROM questionnaire_states WHERE account_uuid = ?", person.uuid)).toEqual([
    { state: expect.stringContaining('"currentQuestionId":3') },
  ]);
});

test("without a connection the login page says so, keeps the address, and goes on when the connection is back", async ({
  page,
  site,
  context,
}) => {
  const person = await personWith(site, [[2, 1]], 3);
  await page.goto(site.url + buildPath("login/link", locale));
  await ready(page);
  await page.locator("input[type=email]").fill(person.email);
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await press(page, "Mándame el enlace");
  await isAt(page, "login/failed");
  expect(new URL(page.url()).pathname).toBe(buildPath("login/failed", locale));
  await expect(page.locator("main")).toContainText(person.email);
  await expect(page.getByRole("alert").filter({ hasText: "No hay conexión" })).toBeVisible();
  await page.getByRole("link", { name: "Intentar de nuevo" }).click();
  await isAt(page, "login/link");
  await expect(page.locator("input[type=email]")).toHaveValue(person.email);
  await context.setOffline(false);
  await press(page, "Mándame el enlace");
  await isAt(page, "login/link-sent");

  const link = `${linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/)}&target=4`;
  let broken = true;
  await page.route("**/api/token", (route) => (broken ? route.fulfill({ status: 500, body: "{}" }) : route.continue()));
  await page.goto(link);
  await isAt(page, "login/expired");
  expect(await page.evaluate(() => localStorage.getItem("questionnaireTarget"))).toBe("4");
  broken = false;
  await press(page, "Probar otra vez con el mismo enlace");
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(4);
});
