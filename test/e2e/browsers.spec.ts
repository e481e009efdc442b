/**
 * Firefox and WebKit at a phone's size: a few steps in each. With `LONG=1` (`npm run test:long`) also a sign-up, whole funnels and the login by
 * mailed link. A missing browser has no tests: `npm test` installs it, or says why it is skipped.
 */
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import { long } from "#test/sampled.ts";
import { findFirefox, findWebKit } from "../../scripts/otherBrowsers.ts";
import { upTo } from "./answered.ts";
import { type OtherBrowser, phone, startFirefox, startWebKit } from "./otherBrowser.ts";
import { answer, fill, isAt, isAtQuestion, open, pay, ready, tap, until, walkToBlock } from "./otherWalk.ts";
import { linkIn, mailTo, personWith } from "./people.ts";
import { expect, test as base } from "./site.ts";
import { cards, entitlementsOf, newVisitor } from "./walk.ts";

const funnel = "/es-latam/habla-ingles/76";
const firefox = findFirefox();
const webKit = findWebKit();
const starts: Readonly<Record<string, () => Promise<OtherBrowser>>> = {
  ...(firefox === undefined ? {} : { Firefox: () => startFirefox(firefox) }),
  ...(webKit === undefined ? {} : { WebKit: () => startWebKit(webKit) }),
};

/** Expects that pictures load, nothing overflows the screen, and tap targets are large enough (except links in sentences). */
async function fits(browser: OtherBrowser): Promise<void> {
  await until("the pictures on the screen", () =>
    browser.run(() =>
      [...document.images].every((picture) => {
        const { top, bottom, width } = picture.getBoundingClientRect();
        const shows = width > 0 && bottom > 0 && top < innerHeight;
        return !shows || (picture.complete && picture.naturalWidth > 0);
      }),
    ),
  );
  const faults = await browser.run(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const beside = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : [];
    for (const control of document.querySelectorAll<HTMLElement>("button, a, input")) {
      const { left, right, width, height } = control.getBoundingClientRect();
      if (width <= 1 || !control.checkVisibility({ visibilityProperty: true })) continue;
      const name = `${control.tagName} ${control.textContent}`;
      if (left < 0 || right > clientWidth) beside.push(`${name} is beside the screen`);
      if (getComputedStyle(control).display !== "inline" && (width < 24 || height < 24)) beside.push(`${name} is ${width} × ${height}`);
    }
    return { clientWidth, beside };
  });
  expect(faults).toEqual({ clientWidth: phone.width, beside: [] });
}

for (const [name, start] of Object.entries(starts)) {
  const test = base.extend<{ readonly visitor: OtherBrowser }>({
    visitor: async ({}, use, info) => {
      const visitor = await start();
      try {
        await use(visitor);
        if (info.status === info.expectedStatus) expect(visitor.complaints()).toEqual([]);
        else await info.attach("screen", { body: await visitor.picture(), contentType: "image/png" });
      } finally {
        await visitor.close();
      }
    },
  });

  test.describe(name, () => {
    test("three answers, back, and a reload that keeps them", async ({ visitor, site }) => {
      const person = newVisitor();
      await open(visitor, `${site.url}${funnel}/2/`);
      const path: number[] = [];
      for (let step = 0; step < 3; step += 1) path.push(await answer(visitor, person, { look: () => fits(visitor) }));
      const third = path[2] ?? 0;
      expect(path).toHaveLength(new Set(path).size);
      await visitor.back();
      await isAtQuestion(visitor, third);
      for (let time = 0; time < 2; time += 1) {
        await until("the answer given before", () =>
          visitor.run(() => document.querySelector("main [data-option-id]")?.getAttribute("aria-current") === "true"),
        );
        await visitor.reload();
        await ready(visitor);
        await isAtQuestion(visitor, third);
      }
    });

    if (!long) return;

    test("signs up, and confirms the address by the mailed link", async ({ visitor, site }) => {
      const person = newVisitor();
      const { currentQuestionId, ...before } = upTo("signupEmail");
      await open(visitor, `${site.url}${funnel}/${currentQuestionId}/?a=${encodeAnswers({ currentQuestionId, ...before })}`);
      await isAtQuestion(visitor, currentQuestionId);
      await walkToBlock(visitor, "signupName", person, { look: () => fits(visitor) });
      await answer(visitor, person);
      await ready(visitor);
      const link = linkIn(await mailTo(site, person.email, /Confirm/i), /confirm-email/);
      await open(visitor, link);
      await until("the word that it is confirmed", () => visitor.run(() => document.querySelector("[data-tick]") !== null));
      await fits(visitor);
      const confirmed = site.rows("SELECT email_confirmed_at FROM accounts WHERE email = ?", person.email)[0]?.["email_confirmed_at"];
      expect(confirmed).not.toBeNull();
    });

    for (const version of ["76", "85"]) {
      test(`version ${version} from its first question to the thank-you`, async ({ visitor, site }) => {
        const person = newVisitor();
        await open(visitor, `${site.url}/es-latam/habla-ingles/${version}/2/`);
        await walkToBlock(visitor, "paddle", person, { options: { 43: 3, 44: 3 }, look: () => fits(visitor) });
        await pay(visitor, cards.good);
        await isAt(visitor, "questionnaire/thank-you");
        await ready(visitor);
        await fits(visitor);
        expect(await visitor.run(() => document.querySelector("h1")?.textContent)).toContain(person.firstname);
        await until("the entitlement", async () => entitlementsOf(site, person.email).length === 1);
        expect(entitlementsOf(site, person.email)).toEqual([{ status: "active", ends_at: expect.any(Number) }]);
      });
    }

    test("logs in by the mailed link and resumes at the same question", async ({ visitor, site }) => {
      const { selectedOptions, currentQuestionId } = upTo("slideshow");
      const person = await personWith(
        site,
        selectedOptions.map(({ questionId, optionId }) => [questionId, optionId]),
        currentQuestionId,
      );
      await open(visitor, `${site.url}/es-latam/iniciar-sesion/`);
      await fits(visitor);
      await fill(visitor, "main input[type=email]", person.email);
      await tap(visitor, "main input[type=email] ~ button, main :has(input[type=email]) ~ button");
      await isAt(visitor, "login/link-sent");
      await fits(visitor);
      await open(visitor, linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/));
      await isAt(visitor, "questionnaire/question");
      await isAtQuestion(visitor, currentQuestionId);
      expect(await visitor.run(() => location.href)).not.toMatch(/token/);
    });
  });
}
