/** Lost connections and in-app browsers: no answer and no event is lost. */
import { sampled } from "#test/sampled.ts";
import type { BrowserContext, Page } from "@playwright/test";
import { openAt } from "./answered.ts";
import { expect, longTest, startSite, test } from "./site.ts";
import {
  answer,
  calm,
  cards,
  currentQuestion,
  deviceOf,
  entitlementsOf,
  isAt,
  moved,
  newVisitor,
  pay,
  ready,
  tap,
  walkToBlock,
} from "./walk.ts";

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

/** Waits until the page has prefetched everything. */
async function everythingHere(page: Page): Promise<void> {
  await ready(page);
  await calm(page);
  await page.waitForFunction((names) => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    return names.every((name) => loaded.some((url) => url.includes(`/assets/${name}-`)));
  }, fetchedAhead);
  await page.waitForLoadState("networkidle");
}
/** The prefetched modules: other blocks, their contents, and other texts. */
const fetchedAhead = ["views", "contents", "more-texts"];
const quick = { options: { 43: 3, 44: 3 } } as const;

test("after the first question the version works offline up to the sign-up, which waits, says so and goes on by itself; every event arrives once", async ({
  page,
  context,
  site,
}) => {
  const visitor = newVisitor();
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await everythingHere(page);
  const device = await deviceOf(page);
  await context.setOffline(true);
  await expect(page.getByText("Estás sin conexión.")).toBeVisible();
  const path = await walkToBlock(page, "signupEmail", visitor, quick);
  expect(path.length).toBeGreaterThan(10);
  const question = await currentQuestion(page);
  await page.locator("input[type=email]").fill(visitor.email);
  await tap(page.locator("main [data-option-id]").first());
  await expect(page.getByText("seguimos en cuanto vuelva")).toBeVisible();
  expect(await currentQuestion(page)).toBe(question);
  expect(site.rows("SELECT id FROM events WHERE device_id = ? AND event_type = 'QuestionnaireAnswer'", device)).toEqual([]);

  await context.setOffline(false);
  await moved(page, question);
  await expect(page.getByText("Estás sin conexión.")).toBeHidden();
  await expect
    .poll(() =>
      site.rows(
        "SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM events WHERE device_id = ? AND event_type = 'QuestionnaireAnswer'",
        device,
      ),
    )
    .toEqual([{ n: path.length + 1, ids: path.length + 1 }]);
  const answered = site.rows(
    "SELECT json_extract(payload, '$.questionId') AS id FROM events WHERE device_id = ? AND event_type = 'QuestionnaireAnswer' ORDER BY sequence",
    device,
  );
  expect(answered.map(({ id }) => id)).toEqual([...path, question]);
});

longTest(
  "each step of the sign-up, the plans and the payment form wait for the connection, say so and go on by themselves",
  async ({ page, context, site }) => {
    const visitor = newVisitor();
    await openAt(page, "signupEmail", site);
    const line = page.getByText("Estás sin conexión.");
    for (const [block, selector, value] of [
      ["signupEmail", "input[type=email]", visitor.email],
      ["signupPassword", "input[autocomplete=new-password]", visitor.password],
      ["signupName", "input[autocomplete=given-name]", visitor.firstname],
    ] as const) {
      await walkToBlock(page, block, visitor, quick);
      const question = await currentQuestion(page);
      await page.locator(selector).fill(value);
      await context.setOffline(true);
      await tap(page.locator("main [data-option-id]").first());
      await expect(page.getByText("seguimos en cuanto vuelva")).toBeVisible();
      await expect(line).toBeVisible();
      await expect(page.locator(selector)).toHaveValue(value);
      expect(await currentQuestion(page)).toBe(question);
      await context.setOffline(false);
      await moved(page, question);
      await expect(line).toBeHidden();
    }
    // Offline from here on: questions work, plans cannot load.
    await context.setOffline(true);
    await walkToBlock(page, "price", visitor, quick);
    await expect(page.locator("[data-block=price] [role=radio]")).toHaveCount(0);
    await context.setOffline(false);
    await expect(page.locator("[data-block=price] [role=radio]").first()).toBeVisible();
    // Then offline at the provider's form.
    await context.setOffline(true);
    await tap(page.locator("main [data-option-id]").first());
    await expect(page.locator("[data-block=paddle]").getByRole("alert")).toBeVisible();
    await context.setOffline(false);
    await pay(page, cards.good);
    await isAt(page, "questionnaire/thank-you");
    await expect.poll(() => entitlementsOf(site, visitor.email).length).toBe(1);
    expect(site.rows("SELECT COUNT(*) AS n FROM accounts WHERE email = ?", visitor.email)).toEqual([{ n: 1 }]);
  },
);

longTest("a connection lost during the payment check is waited for", async ({ page, context, site }) => {
  const visitor = newVisitor();
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await walkToBlock(page, "paddle", visitor, quick);
  // The payment's status cannot be fetched, but the payment itself reaches the server.
  await context.route("**/api/payment-status", (route) => route.abort("internetdisconnected"));
  await pay(page, cards.good);
  await isAt(page, "questionnaire/post-purchase");
  await expect.poll(() => entitlementsOf(site, visitor.email).length).toBe(1);
  await context.unroute("**/api/payment-status");
  await isAt(page, "questionnaire/thank-you");
});

/** Number of answers that the device stores for the next page. */
function keptAnswers(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const heard = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("not read"));
      });
    const database = await heard(indexedDB.open("parlando-events"));
    const events: readonly { readonly eventType: string }[] = await heard(database.transaction("events").objectStore("events").getAll());
    database.close();
    return events.filter(({ eventType }) => eventType === "QuestionnaireAnswer").length;
  });
}

/** A country without a consent banner. */
const inMexico = (context: BrowserContext) =>
  context.route("**/geo.json", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), country: "MX", countryKnown: true } });
  });

test("events of a page closed offline arrive with the next page", async ({ page, context, site }) => {
  const visitor = newVisitor();
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  // While the country is unknown, data for statistics is stored only after consent (decision 181).
  await tap(page.getByRole("button", { name: "Aceptar todas" }));
  await everythingHere(page);
  const device = await deviceOf(page);
  await context.setOffline(true);
  const path: number[] = [];
  for (let steps = 0; steps < 3; steps += 1) path.push((await answer(page, visitor)).questionId);
  await expect.poll(() => keptAnswers(page)).toBe(path.length);
  await page.close();
  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto(`${site.url}/es-latam/`);
  await expect
    .poll(() =>
      site
        .rows(
          "SELECT json_extract(payload, '$.questionId') AS id FROM events WHERE device_id = ? AND event_type = 'QuestionnaireAnswer' ORDER BY sequence",
          device,
        )
        .map(({ id }) => id),
    )
    .toEqual(path);
});

test("events of a page closed offline before its event module loaded arrive once, with the next page", async ({ page, context, site }) => {
  await inMexico(context);
  const visitor = newVisitor();
  let held = 0;
  await context.route("**/assets/watch-*.js", (route) => {
    held += 1;
    return route.abort("internetdisconnected");
  });
  // A beacon sent offline is lost, but the test's browser would deliver it.
  await page.addInitScript(() => {
    navigator.sendBeacon = () => true;
  });
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await ready(page);
  await expect.poll(() => held).toBeGreaterThan(0);
  // Before the country is known, events are only in the page's memory (decision 181).
  await expect.poll(() => page.evaluate(() => localStorage.getItem("earlyEvents"))).not.toBeNull();
  const device = await deviceOf(page);
  await context.setOffline(true);
  const { questionId } = await answer(page, visitor);
  await page.close();
  await context.setOffline(false);
  await context.unrouteAll();
  await inMexico(context);
  const next = await context.newPage();
  await next.goto(`${site.url}/es-latam/`);
  await expect
    .poll(() =>
      site.rows(
        `SELECT event_type, json_extract(payload, '$.questionId') AS question, COUNT(*) AS n FROM events
         WHERE device_id = ? GROUP BY 1, 2 ORDER BY MIN(sequence)`,
        device,
      ),
    )
    .toMatchObject([
      { event_type: "GetQuestionnaire" },
      { event_type: "QuestionnaireQuestionShown", question: questionId, n: 1 },
      { event_type: "QuestionnaireAnswer", question: questionId, n: 1 },
      { event_type: "QuestionnaireQuestionShown", n: 1 },
    ]);
  await expect.poll(() => next.evaluate(() => localStorage.getItem("earlyEvents"))).toBeNull();
});

for (const module of ["afterHydration", "journey"])
  test(`a page that loses the connection while it loads ${module} goes on loading it, and then counts its visitor`, async ({
    page,
    context,
    site,
  }) => {
    let lost = 0;
    await context.route(`**/assets/${module}-*.js`, (route) => {
      lost += 1;
      return lost === 1 ? route.abort("connectionreset") : route.continue();
    });
    // The server does not answer either when the page asks whether there is a new build. The browser does not notice that it was offline.
    await context.route("**/habla-ingles/76/2/", (route) =>
      route.request().method() === "HEAD" ? route.abort("connectionreset") : route.continue(),
    );
    await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
    await expect.poll(() => lost).toBe(2);
    await ready(page);
    const device = await deviceOf(page);
    await expect
      .poll(() => site.rows("SELECT event_type FROM events WHERE device_id = ? ORDER BY sequence", device))
      .toEqual([{ event_type: "GetQuestionnaire" }, { event_type: "QuestionnaireQuestionShown" }]);
  });

test("a visitor whose configuration is lost gets it later", async ({ page, site }) => {
  let asked = 0;
  await page.route("**/api/config?*", (route) => {
    asked += 1;
    return asked === 1 ? route.abort("connectionreset") : route.continue();
  });
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  const id = () => page.evaluate(() => JSON.parse(localStorage.getItem("questionnaireState") ?? "{}").user?.uuid);
  await expect.poll(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(asked).toBe(2);
});

test("a visitor who leaves at once is counted", async ({ page, site }) => {
  await page.goto(`${site.url}/de/englisch-sprechen/83/2/`);
  await ready(page);
  const device = await deviceOf(page);
  await page.close({ runBeforeUnload: true });
  await expect
    .poll(() => site.rows("SELECT COUNT(*) AS n FROM events WHERE device_id = ? AND event_type = 'QuestionnaireQuestionShown'", device))
    .toEqual([{ n: 1 }]);
});

const blocked = () => {
  for (const name of ["localStorage", "sessionStorage", "indexedDB"])
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException("blocked", "SecurityError");
      },
    });
};
const full = () => {
  Storage.prototype.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
};
const corrupt = () => {
  for (const key of ["parlando", "consent", "config", "questionnaireState", "eventSequence", "product"]) localStorage.setItem(key, "{]");
};
const storages = [
  ["blocked", blocked],
  ["full", full],
  ["corrupt", corrupt],
] as const;
for (const [name, prepare] of sampled(storages, 1)) {
  longTest(`with storage ${name} a visitor reaches the plans`, async ({ page, site }) => {
    if (name === "corrupt") {
      await page.goto(`${site.url}/geo.json`);
      await page.evaluate(prepare);
    } else await page.addInitScript(prepare);
    const visitor = newVisitor();
    await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
    await walkToBlock(page, "price", visitor, quick);
    expect(site.rows("SELECT email FROM accounts WHERE email = ?", visitor.email)).toHaveLength(1);
  });
}

longTest("a sign-up waits for a server that is down", async ({ page }) => {
  const site = await startSite();
  try {
    const visitor = newVisitor();
    await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
    await walkToBlock(page, "signupEmail", visitor, quick);
    const question = await currentQuestion(page);
    await site.kill();
    await page.locator("input[type=email]").fill(visitor.email);
    await tap(page.locator("main [data-option-id]").first());
    await expect(page.getByText("seguimos en cuanto vuelva")).toBeVisible();
    await site.restart();
    await moved(page, question);
  } finally {
    await site.stop();
  }
});
