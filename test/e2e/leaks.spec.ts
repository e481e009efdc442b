/** Tokens and e-mail addresses do not leak into URLs, Referer headers, logs, or requests to third parties. */
import type { Page, Request } from "@playwright/test";
import { openAt } from "./answered.ts";
import { linkIn, mailTo } from "./people.ts";
import { countryHeader, expect, startSite, test, thirdPartyServices } from "./site.ts";
import { answer, calm, isAt, newVisitor, ready, tap, walkToBlock } from "./walk.ts";

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

interface Seen {
  readonly url: string;
  /** The mailed link that led to the request, even after a redirect to the app's host. */
  readonly first: string;
  readonly referer: string;
  readonly body: string;
  readonly ours: boolean;
}

test("from the sign-up over every mailed link to a new password", async ({ browser }) => {
  const site = await startSite({ ...thirdPartyServices, LOG_LEVEL: "debug" });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
  try {
    const ours = (url: string) => new URL(url).hostname === "localhost";
    await context.setExtraHTTPHeaders({ [countryHeader]: "DE" });
    await context.route(
      (url) => url.hostname !== "localhost",
      (route) => route.fulfill({ contentType: "text/javascript", body: "" }),
    );
    const seen: Seen[] = [];
    context.on("request", (request: Request) => {
      const url = request.url();
      const first = request.redirectedFrom()?.url() ?? url;
      seen.push({ url, first, referer: request.headers()["referer"] ?? "", body: request.postData() ?? "", ours: ours(url) });
    });
    const said: string[] = [];
    context.on("console", (message) => said.push(message.text()));
    const secrets = new Map<string, string>();
    const followed: string[] = [];

    const page = await context.newPage();
    const visitor = newVisitor();
    secrets.set("e-mail", visitor.email).set("password", visitor.password);
    const keepTokens = async (when: string) => {
      for (const key of ["token", "refreshToken"]) {
        const value = await page.evaluate((name) => localStorage.getItem(name), key);
        if (value !== null) secrets.set(`${key} ${when}`, value);
      }
    };
    /** Opens a mailed link and expects that its URL disappears from the address bar. */
    const follow = async (mail: RegExp, link: RegExp, parameter: string) => {
      const address = linkIn(await mailTo(site, visitor.email, mail), link);
      secrets.set(`${parameter} of ${link.source}`, new URL(address).searchParams.get(parameter) ?? "");
      followed.push(address);
      await page.goto(address);
    };

    await openAt(page, "signupEmail", site, "&gclid=test");
    await tap(page.locator("[data-consent=banner]").getByRole("button", { name: "Aceptar todas" }));
    await walkToBlock(page, "signupName", visitor, { options: { 43: 3, 44: 3 } });
    await answer(page, visitor);
    await ready(page);
    await keepTokens("after the sign-up");

    await follow(/Confirm/i, /confirm-email/, "confirm_token");
    await expect(page.getByRole("heading", { name: "¡Correo confirmado!" })).toBeVisible();
    await clean(page);

    await page.goto(`${site.url}/es-latam/iniciar-sesion/`);
    await ready(page);
    await page.locator("input[type=email]").fill(visitor.email);
    await tap(page.getByRole("button", { name: "Mándame el enlace" }));
    await isAt(page, "login/link-sent");
    await follow(/link\/login/, /link\/login/, "token");
    await isAt(page, "questionnaire/question");
    await clean(page);
    await keepTokens("after the link");

    await page.goto(`${site.url}/es-latam/olvide-mi-contrasena/`);
    await ready(page);
    await page.locator("input[type=email]").fill(visitor.email);
    await tap(page.getByRole("button", { name: "Mándame el enlace" }));
    await expect(page.getByRole("heading", { name: "Revisa tu correo" })).toBeVisible();
    await follow(/app\//, /app\//, "token");
    await expect.poll(() => page.url()).not.toContain("token");
    const next = "otra clave mejor";
    secrets.set("new password", next);
    await page.locator("input[name=password]").fill(next);
    await tap(page.getByRole("button", { name: "Guardar contraseña" }));
    await page.getByRole("link", { name: "Entrar" }).click();
    await page.getByRole("link", { name: "Entrar con contraseña" }).click();
    await page.locator("input[type=password]").fill(next);
    await tap(page.getByRole("button", { name: "Entrar" }));
    await isAt(page, "questionnaire/question");
    await keepTokens("after the password");

    await page.goto(`${site.url}/es-latam/habla-ingles/76/cambiar-correo/`);
    await ready(page);
    await page.locator("input[type=email]").fill(`nueva.${visitor.email}`);
    await page.locator("input[type=password]").fill(next);
    await tap(page.getByRole("button", { name: "Enviar el enlace de confirmación" }));
    await isAt(page, "questionnaire/verify-email");
    await follow(/undo-email/, /undo-email/, "token");
    await tap(page.getByRole("button", { name: "Recuperar mi correo" }));
    await expect(page.getByRole("heading", { name: "Recuperaste tu correo" })).toBeVisible();
    await clean(page);

    expect(seen.some(({ ours: toUs }) => !toUs)).toBe(true);
    expect(secrets.size).toBe(13);
    const told = seen.filter(({ first }) => !followed.includes(first));
    for (const [name, secret] of secrets) {
      const forms = [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
      const holds = (text: string) => forms.some((form) => text.includes(form));
      expect(
        told.filter(({ url }) => holds(url)).map(({ url }) => url),
        `${name} in an address`,
      ).toEqual([]);
      expect(
        seen.filter(({ referer }) => holds(referer)).map(({ url }) => url),
        `${name} in a Referer`,
      ).toEqual([]);
      expect(
        told.filter((one) => !one.ours && holds(one.body)).map(({ url }) => url),
        `${name} told to others`,
      ).toEqual([]);
      expect(
        said.filter((line) => holds(line)),
        `${name} in the console`,
      ).toEqual([]);
      expect(holds(site.log()), `${name} in the server's log`).toBe(false);
    }
  } finally {
    await context.close();
    await site.stop();
  }
});

async function clean(page: Page): Promise<void> {
  await expect.poll(() => page.url()).not.toMatch(/token|backend-url/);
  // This page also sends requests to third parties.
  await calm(page);
}
