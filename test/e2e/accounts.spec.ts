/** Accounts on a phone: mails, second devices and lost connections. */
import type { Browser, Page } from "@playwright/test";
import { openAt } from "./answered.ts";
import { call, linkIn, mailTo, type Person, personWith } from "./people.ts";
import { expect, longTest, test } from "./site.ts";
import { answer, blockStorage, currentQuestion, isAt, newVisitor, readable, ready, tap, walkToBlock } from "./walk.ts";

const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
test.use(phone);

const es = "/es-latam";
const firstPath = `${es}/habla-ingles/76/2/`;
const loginPath = `${es}/iniciar-sesion/`;
const route = (page: Page) => page.locator("main");

/** Signs somebody up, with the first questions answered. */
async function someone(
  site: Parameters<typeof personWith>[0],
  browser: Browser,
): Promise<{ readonly person: Person; readonly at: number }> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  const visitor = newVisitor();
  await page.goto(site.url + firstPath);
  const answers: [number, number][] = [];
  for (let step = 0; step < 4; step += 1) {
    await ready(page);
    const from = await currentQuestion(page);
    const option = Number(await page.locator("main [data-option-id]").first().getAttribute("data-option-id"));
    await answer(page, visitor, { options: { [from]: option } });
    answers.push([from, option]);
  }
  const at = await currentQuestion(page);
  await context.close();
  return { person: await personWith(site, answers, at), at };
}

async function askForLink(page: Page, siteUrl: string, email: string): Promise<void> {
  await page.goto(siteUrl + loginPath);
  await ready(page);
  await page.locator("input[type=email]").fill(email);
  await tap(page.getByRole("button", { name: "Mándame el enlace" }));
  await isAt(page, "login/link-sent");
}

/** Expects that no token is in the address bar. */
async function addressIsClean(page: Page): Promise<void> {
  expect(page.url()).not.toMatch(/token|backend-url/);
}

test("signs up, confirms in the same browser, and resumes at the same question", async ({ page, site }) => {
  const visitor = newVisitor();
  await openAt(page, "signupEmail", site);
  await walkToBlock(page, "signupName", visitor, { options: { 43: 3, 44: 3 } });
  await answer(page, visitor);
  await ready(page);
  const at = await currentQuestion(page);
  await expect
    .poll(
      () =>
        site.rows(
          "SELECT q.saved_at FROM questionnaire_states q JOIN accounts a ON a.uuid = q.account_uuid WHERE a.email = ?",
          visitor.email,
        ).length,
    )
    .toBe(1);
  const link = linkIn(await mailTo(site, visitor.email, /Confirm/i), /confirm-email/);
  await page.goto(link);
  await isAt(page, "link/confirm-email");
  await expect(page.getByRole("heading", { name: "¡Correo confirmado!" })).toBeVisible();
  await expect(page.locator("[data-tick]")).toBeVisible();
  await addressIsClean(page);
  expect(site.rows("SELECT email_confirmed_at FROM accounts WHERE email = ?", visitor.email)[0]?.["email_confirmed_at"]).not.toBeNull();
  await tap(page.getByRole("button", { name: "Continuar" }));
  await isAt(page, "questionnaire/question");
  // The next screen shows a preparation and moves on by itself.
  expect(await currentQuestion(page)).toBeGreaterThanOrEqual(at);
});

test("signs up in an app's browser and types the mail's code there: it stays signed in, and the password works", async ({
  page,
  site,
  browser,
  context,
}) => {
  const visitor = newVisitor();
  await openAt(page, "signupEmail", site);
  await walkToBlock(page, "signupName", visitor, { options: { 43: 3, 44: 3 } });
  const account = () => site.rows("SELECT uuid, email_confirmed_at, password_hash FROM accounts WHERE email = ?", visitor.email)[0] ?? {};
  await page.goto(`${site.url}${es}/habla-ingles/76/verificar-correo/`);
  await ready(page);
  const mail = await mailTo(site, visitor.email, /Confirm/i);
  const code = /^\d{6}$/m.exec(mail.text)?.[0] ?? "";
  const field = page.getByLabel("Código del correo");
  await field.fill(code === "000000" ? "111111" : "000000");
  await field.press("Enter");
  await expect(page.getByText("no es correcto o ya venció", { exact: false })).toBeVisible();
  await field.fill(code);
  await context.setOffline(true);
  await tap(page.getByRole("button", { name: "Confirmar con el código" }));
  await expect(page.getByText("No hay conexión en este momento.", { exact: false }).first()).toBeVisible();
  await expect(field).toHaveValue(code);
  await context.setOffline(false);
  const before = account();
  expect(before["email_confirmed_at"]).toBeNull();
  await tap(page.getByRole("button", { name: "Confirmar con el código" }));
  await expect(page.getByRole("heading", { name: "Tu correo está confirmado" })).toBeFocused();
  await expect(field).toHaveCount(0);
  expect(account()).toEqual({ ...before, email_confirmed_at: expect.any(Number) });

  // The code is used up: the link, opened in the phone's own browser, no longer changes anything.
  const own = await browser.newContext(phone);
  const there = await own.newPage();
  await there.goto(linkIn(mail, /confirm-email/));
  await tap(there.getByRole("button", { name: "Confirmar mi correo" }));
  await expect(there.getByRole("heading", { name: "¡Correo confirmado!" })).toBeVisible();
  await expect(there.locator("main")).not.toContainText("la contraseña");
  await own.close();
  expect(site.rows("SELECT ended_at FROM sessions WHERE account_uuid = ?", String(before["uuid"]))).toEqual([{ ended_at: null }]);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Tu correo está confirmado" })).toBeVisible();
  await call(site, "login", { email: visitor.email, password: visitor.password });
});

test("a confirmation link opened by a mail scanner confirms nothing before a tap; for an app user it leads back to the app", async ({
  browser,
  site,
}) => {
  const person = newVisitor();
  await call(site, "signup", {
    uuid: crypto.randomUUID(),
    email: person.email,
    password: person.password,
    uiLanguage: "es-419",
    questionnaire: "76",
    version: "v5.7.8",
  });
  const link = linkIn(await mailTo(site, person.email, /Confirm/i), /confirm-email/);
  const confirmed = () => site.rows("SELECT email_confirmed_at FROM accounts WHERE email = ?", person.email)[0]?.["email_confirmed_at"];
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  const response = await page.goto(link.replace("platform=web", "platform=mobile"));
  expect(response?.headers()["referrer-policy"]).toBe("no-referrer");
  await ready(page);
  await addressIsClean(page);
  await expect(page.getByRole("button", { name: "Confirmar mi correo" })).toBeVisible();
  expect(confirmed()).toBeNull();
  await tap(page.getByRole("button", { name: "Confirmar mi correo" }));
  await expect(page.getByRole("heading", { name: "¡Correo confirmado!" })).toBeVisible();
  expect(confirmed()).not.toBeNull();
  await page.waitForURL(/\/standins\/app\/confirm-email\?.*target=dashboard/);
  await context.close();
});

test("logs in by link in the requesting browser, and resumes at the same question", async ({ page, site, browser }) => {
  const { person, at } = await someone(site, browser);
  await askForLink(page, site.url, person.email);
  await expect(route(page)).toContainText(person.email);
  const mail = await mailTo(site, person.email, /link\/login/);
  const seen: string[] = [];
  page.on("request", (request) => seen.push(`${request.url()} ${request.headers()["referer"] ?? ""}`));
  const link = linkIn(mail, /link\/login/);
  await page.goto(link);
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(at);
  await addressIsClean(page);
  const token = new URL(link).searchParams.get("token") ?? "";
  // Only the link itself contained the token.
  expect(seen.filter((entry) => entry.includes(token))).toEqual([expect.stringMatching(/^http.*link\/login/)]);
  // Back skips the page that redirected.
  await page.goBack();
  await expect(route(page)).not.toHaveAttribute("data-route", "link/login");
});

longTest(
  "logs in by link in another browser after a tap; opening the link without a tap does not consume it",
  async ({ page, site, browser }) => {
    const { person, at } = await someone(site, browser);
    await askForLink(page, site.url, person.email);
    const link = linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/);
    for (let visit = 0; visit < 3; visit += 1) {
      // A mail scanner has no storage, runs scripts, and does not tap.
      const scanner = await browser.newContext(phone);
      const scanned = await scanner.newPage();
      await scanned.goto(link);
      await expect(scanned.getByRole("button", { name: "Continuar" })).toBeVisible();
      await scanner.close();
    }
    const other = await browser.newContext(phone);
    const there = await other.newPage();
    await there.goto(link);
    await tap(there.getByRole("button", { name: "Continuar" }));
    await isAt(there, "questionnaire/question");
    expect(await currentQuestion(there)).toBe(at);
    await other.close();
  },
);

longTest("another language on a mailed link's page keeps the link", async ({ page, site, browser }) => {
  const { person, at } = await someone(site, browser);
  await call(site, "login-link", { email: person.email });
  await page.goto(linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/));
  await isAt(page, "link/login");
  await page.locator("header select").selectOption("de-DE");
  await page.waitForURL(/\/de\/link\/login\//);
  await isAt(page, "link/login");
  await addressIsClean(page);
  await tap(page.getByRole("button", { name: "Weiter" }));
  // The German page belongs to another version than the account, and redirects to the account's version.
  await expect.poll(() => currentQuestion(page)).toBe(at);

  const other = newVisitor();
  await call(site, "signup", { uuid: crypto.randomUUID(), ...other, uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" });
  const elsewhere = await browser.newContext(phone);
  const confirming = await elsewhere.newPage();
  await confirming.goto(linkIn(await mailTo(site, other.email, /confirm-email/), /confirm-email/));
  await isAt(confirming, "link/confirm-email");
  await confirming.locator("header select").selectOption("de-DE");
  await confirming.waitForURL(/\/de\/link\/confirm-email\//);
  await isAt(confirming, "link/confirm-email");
  await tap(confirming.locator("main button").first());
  await expect(confirming.locator("[data-tick]")).toBeVisible();
  await elsewhere.close();
});

test("logs in by code when the link opens elsewhere; a wrong code is reported", async ({ page, site, browser }) => {
  const { person, at } = await someone(site, browser);
  await askForLink(page, site.url, person.email);
  const code = /^\d{6}$/m.exec((await mailTo(site, person.email, /link\/login/)).text)?.[0] ?? "";
  await page.getByLabel("Código del correo").fill(code === "000000" ? "111111" : "000000");
  await tap(page.getByRole("button", { name: "Entrar" }));
  await expect(page.getByText("no es correcto o ya venció", { exact: false })).toBeVisible();
  await page.getByLabel("Código del correo").fill(code);
  await tap(page.getByRole("button", { name: "Entrar" }));
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(at);
});

longTest("logs in by code where the browser blocks its storage", async ({ page, site, browser }) => {
  const { person, at } = await someone(site, browser);
  await blockStorage(page);
  await askForLink(page, site.url, person.email);
  await expect(page.locator("main")).toContainText(person.email);
  const [code = ""] = /\b\d{6}\b/.exec((await mailTo(site, person.email, /link\/login/)).text) ?? [];
  await page.locator("main input").fill(code);
  await tap(page.getByRole("button", { name: "Entrar" }));
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(at);
});

longTest(
  "an account of another version comes to that version's login where the browser blocks its storage, and goes on there",
  async ({ page, site }) => {
    const person = await personWith(site, [[2, 1]], 3, "78");
    await blockStorage(page);
    await askForLink(page, site.url, person.email);
    await page.goto(linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/));
    await tap(page.getByRole("button", { name: "Continuar" }));
    await isAt(page, "questionnaire/user");
    await expect(page.locator("main")).toContainText("Tu sesión terminó.");
    await ready(page);
    await page.locator("input[type=email]").fill(person.email);
    await page.locator("input[type=password]").fill(person.password);
    await tap(page.getByRole("button", { name: "Entrar" }));
    await isAt(page, "questionnaire/question");
    expect(new URL(page.url()).pathname).toBe("/es-latam/habla-ingles/78/3/");
  },
);

test("a used, expired or forged link leads to a new one with the same target", async ({ page, site, browser }) => {
  const { person } = await someone(site, browser);
  await askForLink(page, site.url, person.email);
  const first = await mailTo(site, person.email, /link\/login/);
  const link = linkIn(first, /link\/login/);
  await page.goto(link);
  await isAt(page, "questionnaire/question");
  await page.goto(link);
  await isAt(page, "login/expired");
  await page.goto(`${site.url}${es}/link/login/?token=${"A".repeat(43)}&target=41`);
  await isAt(page, "login/expired");
  expect(await page.evaluate(() => localStorage.getItem("questionnaireTarget"))).toBe("41");
  await expect(page.getByRole("heading", { name: "Ya entraste a tu cuenta" })).toBeVisible();
  // Logs out, because the link is for visitors who are not signed in.
  await page.evaluate(() => ["token", "refreshToken"].forEach((key) => localStorage.removeItem(key)));
  await page.reload();
  await page.getByRole("link", { name: "Pedir otro enlace" }).click();
  await isAt(page, "login/link");
  await expect(page.locator("input[type=email]")).toHaveValue(person.email);
  await tap(page.getByRole("button", { name: "Mándame el enlace" }));
  await isAt(page, "login/link-sent");
  const second = linkIn(await mailTo(site, person.email, /link\/login/, [first.id]), /link\/login/);
  expect(new URL(second).searchParams.get("target")).toBe("41");
  site.change("UPDATE link_tokens SET expires_at = 1 WHERE purpose = 'login' AND account_uuid = ?", person.uuid);
  await page.goto(second);
  await isAt(page, "login/expired");
});

longTest(
  "a login by link before the address is confirmed logs the first device out, which says why and keeps its answers",
  async ({ page, site, browser }) => {
    const visitor = newVisitor();
    await openAt(page, "signupEmail", site);
    await walkToBlock(page, "signupName", visitor, { options: { 43: 3, 44: 3 } });
    const saved = () =>
      site.rows(
        "SELECT q.state FROM questionnaire_states q JOIN accounts a ON a.uuid = q.account_uuid WHERE a.email = ?",
        visitor.email,
      )[0]?.["state"];
    await expect.poll(saved).toContain("studySchedule");
    const second = await browser.newContext(phone);
    const other = await second.newPage();
    await askForLink(other, site.url, visitor.email);
    const first = await mailTo(site, visitor.email, /link\/login/);
    await other.goto(linkIn(first, /link\/login/));
    await isAt(other, "questionnaire/question");
    await second.close();

    const question = await currentQuestion(page);
    await page.locator("input[autocomplete=given-name]").fill(visitor.firstname);
    await tap(page.locator("main [data-option-id]").first());
    await isAt(page, "questionnaire/user");
    await expect(page.getByText("En otro dispositivo se confirmó tu correo")).toBeVisible();
    await expect(page.locator("input[type=email]")).toHaveValue(visitor.email);
    await tap(page.getByRole("link", { name: "Entrar con un enlace" }));
    await isAt(page, "login/link");
    await expect(page.locator("input[type=email]")).toHaveValue(visitor.email);
    await tap(page.getByRole("button", { name: "Mándame el enlace" }));
    await isAt(page, "login/link-sent");
    await page.goto(linkIn(await mailTo(site, visitor.email, /link\/login/, [first.id]), /link\/login/));
    await isAt(page, "questionnaire/question");
    expect(await currentQuestion(page)).toBe(question);
    await expect(page.locator("input[autocomplete=given-name]")).toHaveValue(visitor.firstname);
  },
);

test("a link's backend is used only when it is one of ours", async ({ page, site, browser }) => {
  const { person } = await someone(site, browser);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).origin));
  await askForLink(page, site.url, person.email);
  const link = linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/);
  await page.goto(`${link}&backend-url=${encodeURIComponent("https://evil.example/api")}`);
  await isAt(page, "questionnaire/question");
  await addressIsClean(page);
  expect(new Set(asked)).toEqual(new Set([new URL(site.url).origin]));
});

test("an unknown address gets the same answer, and a mail that says so", async ({ page, site }) => {
  const { email } = newVisitor();
  await askForLink(page, site.url, email);
  await expect(route(page)).toContainText(email);
  expect((await mailTo(site, email, /habla-ingles/)).subject).toBe("Todavía no conocemos este correo");
});

test("logs in with the password; a wrong one offers other ways to log in, and a forgotten one can be replaced", async ({
  page,
  site,
  browser,
}) => {
  const { person, at } = await someone(site, browser);
  await page.goto(`${site.url}${es}/habla-ingles/76/usuario/`);
  await ready(page);
  await page.locator("input[type=email]").fill(person.email);
  await page.locator("input[type=password]").fill("not my password");
  await tap(page.getByRole("button", { name: "Entrar" }));
  await isAt(page, "recover-password");
  await expect(route(page)).toContainText(`${person.email} y esa contraseña no coinciden`);
  // One tap leads back to the same version's login with the address filled in, also after a reload.
  for (const reloaded of [false, true]) {
    if (reloaded) await page.reload();
    await ready(page);
    await page.getByRole("link", { name: "Reintentar con contraseña" }).click();
    await page.waitForURL(/habla-ingles\/76\/usuario/);
    await ready(page);
    await expect(page.locator("input[type=email]")).toHaveValue(person.email);
    await page.locator("input[type=password]").fill("not my password");
    await tap(page.getByRole("button", { name: "Entrar" }));
    await isAt(page, "recover-password");
  }
  await page.getByRole("link", { name: "Elegir otra contraseña" }).click();
  await isAt(page, "forgot-password");
  await expect(page.locator("input[type=email]")).toHaveValue(person.email);
  await tap(page.getByRole("button", { name: "Mándame el enlace" }));
  await expect(page.getByRole("heading", { name: "Revisa tu correo" })).toBeVisible();
  const link = linkIn(await mailTo(site, person.email, /app\//), /app\//);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Elige una contraseña nueva" })).toBeVisible();
  await expect(page.getByRole("banner")).toContainText("Parlando");
  await expect(route(page)).toContainText(`Para tu cuenta ${person.email}`);
  await expect.poll(() => page.url()).not.toContain("token");
  await page.locator("input[name=password]").fill("password1");
  await tap(page.getByRole("button", { name: "Guardar contraseña" }));
  await expect(page.getByRole("status")).toContainText("Usa entre 8 y 128 caracteres");
  await page.locator("input[name=password]").fill("otra clave mejor");
  await tap(page.getByRole("button", { name: "Guardar contraseña" }));
  await expect(page.getByRole("status")).toContainText("Tu contraseña nueva ya está lista");
  // The sessions have ended, so the page no longer announces that they will.
  await expect(page.getByText("Se cerrará la sesión")).toHaveCount(0);
  // The link is consumed. The page says so before a password is typed.
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Este enlace ya no sirve" })).toBeVisible();
  await expect(page.locator("input[name=password]")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Pedir otro enlace" })).toBeVisible();
  await page.goto(site.url + loginPath);
  await page.getByRole("link", { name: "Entrar con contraseña" }).click();
  await isAt(page, "questionnaire/user");
  await page.locator("input[type=password]").fill("otra clave mejor");
  await tap(page.getByRole("button", { name: "Entrar" }));
  await isAt(page, "questionnaire/question");
  expect(await currentQuestion(page)).toBe(at);
});

test("signing up with an address that was registered meanwhile leads to a login link", async ({ page, site }) => {
  const visitor = newVisitor();
  await page.goto(`${site.url}${es}/habla-ingles/83/2/`);
  await walkToBlock(page, "signupPassword", visitor, { options: { 43: 3, 44: 3 } });
  await call(site, "signup", {
    uuid: crypto.randomUUID(),
    email: visitor.email,
    password: "somebody was quicker",
    uiLanguage: "es-419",
    questionnaire: "76",
    version: "v5.7.8",
  });
  await page.locator("input[autocomplete=new-password]").fill(visitor.password);
  await tap(page.locator("main [data-option-id]").first());
  await isAt(page, "login/account-exists");
  await expect(page.locator("input[type=email]")).toHaveValue(visitor.email);
  // This page's URL names no version. A reload renders it in the default version, but it still leads to the visitor's own e-mail question.
  const emailQuestion = await page.locator("main a").getAttribute("href");
  await page.reload();
  await isAt(page, "login/account-exists");
  await expect(page.locator("main a")).toHaveAttribute("href", String(emailQuestion));
  expect(emailQuestion).toContain("/83/");
  await tap(page.getByRole("button", { name: "Mándame el enlace" }));
  await isAt(page, "login/link-sent");
  const link = linkIn(await mailTo(site, visitor.email, /link\/login/), /link\/login/);
  await page.goto(link);
  await isAt(page, "questionnaire/question");
  // The mailbox's owner has taken the account from the person who signed up with a foreign address.
  expect(site.rows("SELECT password_hash FROM accounts WHERE email = ?", visitor.email)[0]?.["password_hash"]).toBeNull();
});

test("changes the address: a taken one is reported, and the new one must be confirmed", async ({ page, site, browser }) => {
  const { person } = await someone(site, browser);
  const taken = (await someone(site, browser)).person;
  await askForLink(page, site.url, person.email);
  await page.goto(linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/));
  await isAt(page, "questionnaire/question");
  await page.goto(`${site.url}${es}/habla-ingles/76/cambiar-correo/`);
  await ready(page);
  await page.locator("input[type=email]").fill(taken.email);
  await tap(page.getByRole("button", { name: "Enviar el enlace de confirmación" }));
  await isAt(page, "questionnaire/email-exists");
  await expect(route(page)).toContainText(taken.email);
  await page.getByRole("link", { name: "Usar otro correo" }).click();
  await isAt(page, "questionnaire/update-email");
  const renamed = `nueva.${person.email}`;
  await page.locator("input[type=email]").fill(renamed);
  await tap(page.getByRole("button", { name: "Enviar el enlace de confirmación" }));
  await isAt(page, "questionnaire/verify-email");
  await expect(route(page)).toContainText(renamed);
  await page.goto(linkIn(await mailTo(site, renamed, /Nuevo correo para una cuenta de Parlando/), /confirm-email/));
  await expect(page.getByRole("heading", { name: "¡Correo confirmado!" })).toBeVisible();
});

test.describe("coming back", () => {
  async function comeIn(page: Page, siteUrl: string, person: Person, version = "76"): Promise<void> {
    await page.goto(`${siteUrl}${es}/habla-ingles/${version}/usuario/`);
    await ready(page);
    await page.locator("input[type=email]").fill(person.email);
    await page.locator("input[type=password]").fill(person.password);
    await tap(page.getByRole("button", { name: "Entrar" }));
  }
  function entitle(site: Parameters<typeof personWith>[0], person: Person, status: string): void {
    const order = crypto.randomUUID();
    site.change(
      "INSERT INTO orders (id, account_uuid, product_id, product_type, product_plan, trial_days, price_id, quantity, currency, price, payment_provider, status, created_at, updated_at) VALUES (?, ?, '3M-subscription-MXN', 'subscription', '3M', 7, 'pri', 1, 'MXN', 74700, 'paddlebilling', 'completed', 1, 1)",
      order,
      person.uuid,
    );
    site.change(
      "INSERT INTO entitlements (order_id, account_uuid, status, ends_at, created_at, updated_at) VALUES (?, ?, ?, 4102444800000, 1, 1)",
      order,
      person.uuid,
      status,
    );
  }

  test("with a plan leads to its management, with a lapsed plan to reactivation with the link's discount", async ({
    page,
    site,
    browser,
  }) => {
    const { person } = await someone(site, browser);
    entitle(site, person, "active");
    await comeIn(page, site.url, person);
    await isAt(page, "handle-your-subscription");
    site.change("UPDATE entitlements SET status = 'deleted' WHERE account_uuid = ?", person.uuid);
    await call(site, "login-link", { email: person.email, discount: "VUELVE" });
    await page.goto(linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/));
    await page.waitForURL(/reactivar\/\?discount=VUELVE/);
  });

  test("with a plan leads to it where the browser blocks its storage, too", async ({ page, site }) => {
    const person = await personWith(site, [[2, 1]], 3);
    entitle(site, person, "active");
    await blockStorage(page);
    await comeIn(page, site.url, person);
    await isAt(page, "handle-your-subscription");
    await expect(page.locator("main h1")).toHaveText("Qué bueno verte de nuevo");
  });

  test("with a lapsed plan and a link's discount leads to the form where the browser blocks its storage, too", async ({ page, site }) => {
    const person = await personWith(site, [[2, 1]], 3);
    entitle(site, person, "deleted");
    await blockStorage(page);
    await call(site, "login-link", { email: person.email, discount: "VUELVE30" });
    await page.goto(linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/));
    await tap(page.getByRole("button", { name: "Continuar" }));
    await isAt(page, "questionnaire/reactivate");
    await expect(page.locator("main")).toContainText("30%");
    await expect(page.locator("[data-block=paddle] iframe")).toBeVisible();
  });

  longTest("follows links to the account and to the help where the browser blocks its storage, too", async ({ page, site }) => {
    const person = await personWith(site, [[2, 1]], 3);
    entitle(site, person, "active");
    await blockStorage(page);
    await comeIn(page, site.url, person);
    await isAt(page, "handle-your-subscription");
    await tap(page.getByRole("link", { name: "Correo, contraseña y datos" }));
    await isAt(page, "handle-your-subscription/account");
    await expect(page.locator("main")).toContainText(person.email);
    await tap(page.locator("footer").getByRole("link", { name: "Administrar suscripción" }));
    await isAt(page, "handle-your-subscription");
    await expect(page.locator("main h1")).toHaveText("Qué bueno verte de nuevo");
  });

  /** Waits until the device has no unsaved state. */
  const allSaved = (page: Page) =>
    expect.poll(() => page.evaluate(() => JSON.parse(localStorage.getItem("questionnaireState") ?? "null")?.sync?.unsaved)).toBe(false);

  test("on a second device resumes the first one's state, and the first one follows", async ({ page, site, browser }) => {
    const { person, at } = await someone(site, browser);
    await comeIn(page, site.url, person);
    await isAt(page, "questionnaire/question");
    expect(await currentQuestion(page)).toBe(at);
    const context = await browser.newContext(phone);
    const second = await context.newPage();
    await comeIn(second, site.url, person);
    await isAt(second, "questionnaire/question");
    for (let step = 0; step < 3; step += 1) await answer(second, person);
    const further = await currentQuestion(second);
    expect(further).not.toBe(at);
    const savedAt = () => {
      const [saved] = site.rows("SELECT state FROM questionnaire_states WHERE account_uuid = ?", person.uuid);
      return JSON.parse(String(saved?.["state"])).currentQuestionId;
    };
    await expect.poll(savedAt).toBe(further);
    await page.reload();
    await expect(route(page)).toHaveAttribute("data-question-id", String(further));
    await context.close();
  });

  longTest(
    "merges the states of two devices: the newer one wins, and questions answered here are not asked again",
    async ({ page, site, browser }) => {
      const { person } = await someone(site, browser);
      await comeIn(page, site.url, person);
      await isAt(page, "questionnaire/question");
      await allSaved(page);
      const context = await browser.newContext(phone);
      const second = await context.newPage();
      await comeIn(second, site.url, person);
      await isAt(second, "questionnaire/question");
      await allSaved(second);
      for (let step = 0; step < 2; step += 1) {
        const saved = second.waitForResponse(
          (response) => response.url().endsWith("/api/questionnaire") && response.request().method() === "POST" && response.ok(),
        );
        await answer(second, person);
        await saved;
      }
      const refused = page.waitForResponse((response) => response.url().endsWith("/api/questionnaire") && response.status() === 409);
      await answer(page, person);
      await refused;
      await expect(route(page)).toHaveAttribute("data-question-id", String(await currentQuestion(second)));
      await context.close();
    },
  );

  test("changes a confirmed address with the password: the new one is valid once confirmed, and the old mailbox can undo it", async ({
    page,
    site,
    browser,
  }) => {
    const { person } = await someone(site, browser);
    const next = `nueva.${person.email}`;
    const accountPath = `${site.url}${es}/administrar-tu-suscripcion/cuenta/`;
    const addressOf = () => site.rows("SELECT email FROM accounts WHERE uuid = ?", person.uuid)[0]?.["email"];
    await comeIn(page, site.url, person);
    await isAt(page, "questionnaire/question");
    await page.goto(accountPath);
    await ready(page);
    await page.getByRole("link", { name: "Cambiar mi correo" }).click();
    await isAt(page, "questionnaire/update-email");
    await expect(page.locator("input[type=email]")).toHaveValue("");
    await page.locator("input[type=email]").fill(next);
    await page.locator("input[type=password]").fill("not my password");
    await tap(page.getByRole("button", { name: "Enviar el enlace de confirmación" }));
    await expect(route(page)).toContainText("Esa no es la contraseña de esta cuenta.");
    await page.locator("input[type=password]").fill(person.password);
    await tap(page.getByRole("button", { name: "Enviar el enlace de confirmación" }));
    await isAt(page, "questionnaire/verify-email");
    await expect(route(page)).toContainText(next);
    await expect(route(page)).toContainText(`tu correo sigue siendo ${person.email}`);
    await page.goto(accountPath);
    await expect(route(page)).toContainText(`Entraste como ${person.email}`);
    await expect(route(page)).toContainText(`${next} es el nuevo`);
    expect(addressOf()).toBe(person.email);

    await page.goto(linkIn(await mailTo(site, next, /Confirm/i), /confirm-email/));
    await expect(page.getByRole("heading", { name: "¡Correo confirmado!" })).toBeVisible();
    const second = await browser.newContext(phone);
    const there = await second.newPage();
    await comeIn(there, site.url, { ...person, email: next });
    await isAt(there, "questionnaire/question");

    const link = linkIn(await mailTo(site, person.email, /undo-email/), /undo-email/);
    const mailbox = await browser.newContext(phone);
    const reading = await mailbox.newPage();
    const response = await reading.goto(link);
    expect(response?.headers()["referrer-policy"]).toBe("no-referrer");
    await ready(reading);
    await addressIsClean(reading);
    await expect(reading.getByRole("button", { name: "Recuperar mi correo" })).toBeVisible();
    expect(addressOf()).toBe(next);
    await tap(reading.getByRole("button", { name: "Recuperar mi correo" }));
    await expect(route(reading)).toContainText(`Tu cuenta es otra vez de ${person.email}`);
    expect(addressOf()).toBe(person.email);
    await reading.getByRole("link", { name: "Elegir otra contraseña" }).click();
    await isAt(reading, "forgot-password");
    await expect(reading.locator("input[type=email]")).toHaveValue(person.email);
    // Every session has ended, and the old password no longer works.
    await there.goto(accountPath);
    await isAt(there, "questionnaire/user");
    await comeIn(there, site.url, person);
    await isAt(there, "recover-password");
    await reading.goto(link);
    await ready(reading);
    await tap(reading.getByRole("button", { name: "Recuperar mi correo" }));
    await expect(reading.getByRole("heading", { name: "Este enlace ya no sirve" })).toBeVisible();
    await Promise.all([second.close(), mailbox.close()]);
  });

  test("to a retired version starts again at the first question", async ({ page, site, browser }) => {
    const { person, at } = await someone(site, browser);
    site.change(
      `UPDATE questionnaire_states SET version = '12', state = replace(replace(state, '"id":"76"', '"id":"12"'), '"currentQuestionId":${at}', '"currentQuestionId":998') WHERE account_uuid = ?`,
      person.uuid,
    );
    await comeIn(page, site.url, person);
    await isAt(page, "questionnaire/question");
    await expect(route(page)).toHaveAttribute("data-question-id", "2");
    await expect
      .poll(() => String(site.rows("SELECT version FROM questionnaire_states WHERE account_uuid = ?", person.uuid)[0]?.["version"]))
      .toBe("76");
  });

  longTest("from another version's login page resumes in the saved version", async ({ page, site, browser }) => {
    const { person, at } = await someone(site, browser);
    await comeIn(page, site.url, person, "83");
    await page.waitForURL(/\/habla-ingles\/76\//);
    await expect(route(page)).toHaveAttribute("data-question-id", String(at));
  });

  test("two tabs with an expired token both stay signed in and share one pair of tokens", async ({ page, site, browser, context }) => {
    const { person } = await someone(site, browser);
    await comeIn(page, site.url, person);
    await isAt(page, "questionnaire/question");
    const other = await context.newPage();
    await other.goto(page.url());
    await ready(other);
    const expired = `h.${Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url")}.s`;
    await page.evaluate((token) => localStorage.setItem("token", token), expired);
    await Promise.all([page.reload(), other.reload()]);
    await Promise.all([ready(page), ready(other)]);
    await expect.poll(() => page.evaluate(() => localStorage.getItem("token"))).not.toBe(expired);
    await Promise.all([answer(page, person), answer(other, person).catch(() => undefined)]);
    for (const tab of [page, other]) await isAt(tab, "questionnaire/question");
    // A tab that waits too long also refreshes (decision 031) but gets the same pair: there are only two pairs.
    const pairs = site.rows(
      "SELECT count(*) AS pairs FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id WHERE s.account_uuid = ? AND s.ended_at IS NULL GROUP BY s.id ORDER BY pairs",
      person.uuid,
    );
    // The other session is that of the sign-up.
    expect(pairs).toEqual([{ pairs: 1 }, { pairs: 2 }]);
    expect(await page.evaluate(() => localStorage.getItem("refreshToken"))).not.toBeNull();
  });

  test("a session stays although the answer that renewed it was lost for longer than the server repeats it to anybody", async ({
    page,
    site,
    browser,
  }) => {
    const { person } = await someone(site, browser);
    await comeIn(page, site.url, person);
    await isAt(page, "questionnaire/question");
    const before = await page.evaluate(() => {
      localStorage.setItem("token", `h.${btoa(JSON.stringify({ exp: 1 }))}.s`);
      return localStorage.getItem("refreshToken");
    });
    let lost = 0;
    let isLosing = true;
    await page.route("**/api/refresh", async (route) => {
      if (!isLosing) return route.continue();
      await route.fetch();
      lost += 1;
      // The reload below may have ended the request.
      await route.abort().catch(() => {});
    });
    await page.reload();
    await expect.poll(() => lost).toBeGreaterThanOrEqual(2);
    isLosing = false;
    site.change(
      "UPDATE refresh_tokens SET used_at = used_at - 3600000 WHERE used_at IS NOT NULL AND session_id IN (SELECT id FROM sessions WHERE account_uuid = ?)",
      person.uuid,
    );
    await page.reload();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("refreshToken"))).not.toBe(before);
    expect(await page.evaluate(() => localStorage.getItem("refreshToken"))).not.toBeNull();
    await isAt(page, "questionnaire/question");
  });

  test("the button that goes on from a used link works although its first answer was lost for as long", async ({ page, site, browser }) => {
    const { person } = await someone(site, browser);
    await comeIn(page, site.url, person);
    await isAt(page, "questionnaire/question");
    await page.goto(`${site.url}${es}/link/login/?token=used`);
    await isAt(page, "login/expired");
    let isLosing = true;
    await page.route("**/api/refresh", async (route) => {
      if (!isLosing) return route.continue();
      await route.fetch();
      await route.abort();
    });
    const onward = page.locator("main").getByRole("button");
    await tap(onward);
    await expect(page.locator("main").getByRole("alert")).toBeVisible();
    isLosing = false;
    site.change(
      "UPDATE refresh_tokens SET used_at = used_at - 3600000 WHERE used_at IS NOT NULL AND session_id IN (SELECT id FROM sessions WHERE account_uuid = ?)",
      person.uuid,
    );
    await tap(onward);
    await isAt(page, "questionnaire/question");
  });

  longTest(
    "whoever logs in in another tab after the session's end finds nothing of the account before in this one",
    async ({ page, site, browser, context }) => {
      const [{ person: first }, { person: second }] = [await someone(site, browser), await someone(site, browser)];
      await comeIn(page, site.url, first);
      await isAt(page, "questionnaire/question");
      await readable(page);
      const expired = `h.${Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url")}.s`;
      // In one step. Between two steps, another call of the page could notice the ended session and remove the options.
      await page.evaluate((token) => {
        localStorage.setItem("token", token);
        localStorage.setItem("refreshToken", "ended");
        document.documentElement.dataset["before"] = "";
        document.querySelector<HTMLElement>("main [data-option-id]")?.click();
      }, expired);
      await isAt(page, "questionnaire/user");
      const other = await context.newPage();
      await comeIn(other, site.url, second);
      await isAt(other, "questionnaire/question");
      await expect(page.locator("html[data-before]")).toHaveCount(0);
      await page.goBack();
      await ready(page);
      expect(await page.evaluate(() => localStorage.getItem("questionnaireState"))).toContain(second.uuid);
      expect(await page.content()).not.toContain(first.email);
    },
  );

  test("logging out in one tab clears the device and sends the other tab to the login", async ({ page, site, browser, context }) => {
    const { person } = await someone(site, browser);
    await comeIn(page, site.url, person);
    await isAt(page, "questionnaire/question");
    const other = await context.newPage();
    await other.goto(`${site.url}${es}/administrar-tu-suscripcion/cuenta/`);
    await ready(other);
    await expect(route(other)).toContainText(person.email);
    await tap(other.locator("main").getByRole("button", { name: "Cerrar sesión", exact: true }));
    await isAt(other, "home");
    await isAt(page, "login/link");
    // The remaining items belong to the home page, not to a person.
    const kept = await other.evaluate(() => Object.keys(localStorage).toSorted());
    const nobodys = ["parlando", "oldOSWarning", "theme", "config", "eventSequence", "earlyEvents"];
    const ofTheQuestionnaire = ["questionnaireState", "questionnaireVersion", "questionnaireRoot"];
    expect(kept.filter((key) => ![...nobodys, ...ofTheQuestionnaire].includes(key))).toEqual([]);
    expect(await other.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(person.email);
    expect(site.rows("SELECT end_reason FROM sessions WHERE account_uuid = ? AND end_reason = 'logout'", person.uuid)).toHaveLength(1);
  });

  test("logs out from the menu of a question, of the plan's page and of the account's page", async ({ page, site, browser }) => {
    const { person, at } = await someone(site, browser);
    for (const path of [`${es}/habla-ingles/76/${at}/`, `${es}/administrar-tu-suscripcion/`, `${es}/administrar-tu-suscripcion/cuenta/`]) {
      await comeIn(page, site.url, person);
      await isAt(page, "questionnaire/question");
      await page.goto(site.url + path);
      await ready(page);
      await tap(page.locator("header summary").last());
      await tap(page.locator("header").getByRole("button", { name: "Cerrar sesión" }));
      await isAt(page, "home");
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(person.email);
    }
    const ended = site.rows("SELECT end_reason FROM sessions WHERE account_uuid = ? AND ended_at IS NOT NULL", person.uuid);
    expect(ended).toEqual(Array.from({ length: 3 }, () => ({ end_reason: "logout" })));
  });

  test("sees where the account is logged in, and logs another device out", async ({ page, site, browser }) => {
    const { person } = await someone(site, browser);
    const elsewhere = await browser.newContext(phone);
    const lost = await elsewhere.newPage();
    await comeIn(lost, site.url, person);
    await isAt(lost, "questionnaire/question");
    await comeIn(page, site.url, person);
    await isAt(page, "questionnaire/question");
    await page.goto(`${site.url}${es}/administrar-tu-suscripcion/cuenta/`);
    await ready(page);
    const list = page.locator("main section", { hasText: "Tus sesiones abiertas" });
    await expect(list).toContainText("Este dispositivo");
    await expect(list.locator("li")).toHaveCount(3);
    await tap(list.getByRole("button", { name: "Cerrar las demás sesiones" }));
    await expect(list).toHaveCount(0);
    await lost.goto(`${site.url}${es}/administrar-tu-suscripcion/cuenta/`);
    await isAt(lost, "questionnaire/user");
    await expect(lost.getByText("Tu sesión terminó.")).toBeVisible();
    await expect(lost.getByRole("link", { name: "Entrar con un enlace" })).toBeVisible();
    await elsewhere.close();
  });

  longTest("exports the data, and erases the account for good", async ({ page, site, browser }) => {
    const { person } = await someone(site, browser);
    await comeIn(page, site.url, person);
    await isAt(page, "questionnaire/question");
    await page.goto(`${site.url}${es}/administrar-tu-suscripcion/cuenta/`);
    await ready(page);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Descargar mis datos" }).click()]);
    expect(file.suggestedFilename()).toBe("account.json");
    await tap(page.getByRole("button", { name: "Borrar mi cuenta" }));
    await page.locator("input[type=password]").fill("not my password");
    await tap(page.getByRole("button", { name: "Sí, borrar mi cuenta" }));
    await expect(page.getByText("Esa no es la contraseña de esta cuenta", { exact: false })).toBeVisible();
    await page.locator("input[type=password]").fill(person.password);
    await tap(page.getByRole("button", { name: "Sí, borrar mi cuenta" }));
    await expect(page.getByRole("heading", { name: "Tu cuenta ya no existe" })).toBeVisible();
    expect(site.rows("SELECT uuid FROM accounts WHERE email = ?", person.email)).toEqual([]);
  });
});

longTest("keeps the password when the connection is lost while sending, and signs up when it is back", async ({ page, site, context }) => {
  const visitor = newVisitor();
  await openAt(page, "signupEmail", site);
  await walkToBlock(page, "signupPassword", visitor, { options: { 43: 3, 44: 3 } });
  const question = await currentQuestion(page);
  await page.locator("input[autocomplete=new-password]").fill(visitor.password);
  await context.setOffline(true);
  await tap(page.locator("main [data-option-id]").first());
  await expect(route(page).getByRole("alert").filter({ hasText: /\S/ })).toBeVisible();
  await expect(page.locator("main [data-option-id]").first()).not.toHaveAttribute("aria-busy", "true");
  await expect(page.locator("input[autocomplete=new-password]")).toHaveValue(visitor.password);
  expect(await currentQuestion(page)).toBe(question);
  await context.setOffline(false);
  await expect(route(page)).not.toHaveAttribute("data-question-id", String(question));
  expect(site.rows("SELECT uuid FROM accounts WHERE email = ?", visitor.email)).toHaveLength(1);
});
