/** A page without https, as a phone gets it that tries a server in its network: browsers leave out functions there. */
import { chromiumArguments, findTestChromium } from "../../scripts/chromium.ts";
import { expect, test } from "./site.ts";
import { answer, currentQuestion, newVisitor, ready } from "./walk.ts";

const host = "phone.test";
test.use({
  viewport: { width: 390, height: 844 },
  reducedMotion: "reduce",
  launchOptions: { executablePath: findTestChromium(), args: [...chromiumArguments, `--host-resolver-rules=MAP ${host} 127.0.0.1`] },
});

test("questions can be answered, and the answers are stored", async ({ page, site }) => {
  await page.goto(`${site.url.replace("localhost", host)}/es-latam/habla-ingles/76/2/`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await ready(page);
  await answer(page, newVisitor());
  expect(await currentQuestion(page)).toBe(3);
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem("questionnaireState") ?? "{}"))).toMatchObject({
    selectedOptions: [{ questionId: 2 }],
  });
});
