/** Walks the funnel like a visitor: by the visible page, never by its URLs. */
import { expect, type Locator, type Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import type { RunningSite } from "./site.ts";

export interface Visitor {
  readonly email: string;
  readonly password: string;
  readonly firstname: string;
}

export function newVisitor(): Visitor {
  return { email: `lucia.${randomUUID()}@example.com`, password: "hablo-con-todos-9", firstname: "Lucía" };
}

export interface Plan {
  /** Question id → option id. Other questions get their first option that leads on. */
  readonly options?: Readonly<Record<number, number>>;
  /** Index of the schedule. */
  readonly schedule?: number;
}

/** Blocks storage, as some in-app browsers do. */
export const blockStorage = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new Error("blocked");
      },
    }),
  );

/** Waits for hydration. */
export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset["ready"] === "true");
}

/** Waits until the page of this route is loaded and hydrated. It may be a new document. */
export async function isAt(page: Page, name: string): Promise<void> {
  await expect(page.locator("main")).toHaveAttribute("data-route", name);
  await ready(page);
}

/** Waits until third-party services have the visitor's consent. */
export async function calm(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName("calm").length > 0);
}

export async function currentQuestion(page: Page): Promise<number> {
  return Number(await page.locator("main").getAttribute("data-question-id"));
}

/** The device's id in the events and consent choices that it sends. */
export const deviceOf = (page: Page) => page.evaluate(() => String(JSON.parse(localStorage.getItem("parlando") ?? "{}").deviceUuid));

/** The newest choice of cookies that the page's device has sent. */
export async function newestChoice(page: Page, site: RunningSite): Promise<Record<string, unknown> | undefined> {
  const device = await deviceOf(page);
  return site.rows("SELECT * FROM consent_records WHERE device_id = ? ORDER BY received_at DESC LIMIT 1", device)[0];
}

/** Blocks in which at least one item must be chosen. */
const lists: readonly string[] = ["skillsToImprove", "moreInfoOf", "programChangeWish"];

/** Waits until the page shows another question or none. */
export async function moved(page: Page, from: number): Promise<void> {
  await page.waitForFunction((id) => document.querySelector("main")?.dataset["questionId"] !== id, String(from));
}

/** Waits until the page accepts taps: it is painted and not changing to another page. With a fake clock, the browser reports no paint to wait for. */
export async function readable(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isTold = performance.getEntriesByType("navigation").length > 0;
    const isPainted = performance.getEntriesByName("first-contentful-paint").length > 0;
    return (isPainted || !isTold) && document.querySelector("[data-readable='']") === null;
  });
}

/** The x coordinate of each page's last tap. */
const lastTaps = new WeakMap<Page, number>();

/** Waits until the target has stopped moving. A page may replace the element meanwhile: then waits for the new one. */
async function untilStable(target: Locator, options: { readonly timeout?: number }): Promise<void> {
  for (;;) {
    const element = await target.elementHandle(options);
    try {
      return await element?.waitForElementState("stable", options);
    } catch (error) {
      if (!String(error).includes("not attached")) throw error;
    }
  }
}

/** Taps the target, but not at the last tap's place, which would look like a double tap (decision 097). */
export async function tap(target: Locator, options: { readonly timeout?: number } = {}): Promise<void> {
  await target.waitFor(options);
  await readable(target.page());
  // Reads the size only when the target is clickable, because a loading page may change it.
  await expect(target).toBeEnabled(options);
  await untilStable(target, options);
  const { x, width, height } = (await target.boundingBox(options)) ?? { x: 0, width: 0, height: 0 };
  const last = lastTaps.get(target.page()) ?? x;
  const at = Math.abs(x + width / 4 - last) > Math.abs(x + (width * 3) / 4 - last) ? width / 4 : (width * 3) / 4;
  lastTaps.set(target.page(), x + at);
  await target.click({ ...options, position: { x: at, y: height / 2 } });
}

/** Answers the current question and waits for the next one. */
export async function answer(
  page: Page,
  visitor: Visitor,
  plan: Plan = {},
): Promise<{ readonly questionId: number; readonly blocks: readonly string[] }> {
  const questionId = await currentQuestion(page);
  const main = page.locator("main");
  const blocks = await main
    .locator("[data-block]")
    .evaluateAll((elements) => elements.map((element) => element.getAttribute("data-block") ?? ""));
  if (blocks.includes("signupEmail")) await main.locator("input[type=email]").fill(visitor.email);
  if (blocks.includes("signupPassword")) await main.locator("input[autocomplete=new-password]").fill(visitor.password);
  if (blocks.includes("signupName")) await main.locator("input[autocomplete=given-name]").fill(visitor.firstname);
  if (blocks.includes("studySchedule")) await tap(main.getByRole("radio").nth(plan.schedule ?? 1));
  if (blocks.includes("daySelection")) await chooseDays(main);
  if (blocks.some((block) => lists.includes(block))) await tap(main.getByRole("checkbox").first());
  if (blocks.includes("slideshow")) await leafThrough(page, questionId);
  else await moveOn(page, questionId, plan.options?.[questionId]);
  return { questionId, blocks };
}

/** Presses the slideshow's button through the last slide. */
async function leafThrough(page: Page, questionId: number): Promise<void> {
  const next = page.locator("[data-block=slideshow] button").last();
  while ((await currentQuestion(page)) === questionId)
    await Promise.race([tap(next, { timeout: 5_000 }).catch(() => undefined), moved(page, questionId)]);
}

async function chooseDays(main: Locator): Promise<void> {
  const wayOn = main.locator("[data-option-id]").first();
  const days = main.locator("[data-block=daySelection]");
  const chosen = days.locator("button[aria-pressed=true]");
  while (await wayOn.isDisabled()) {
    const before = await chosen.count();
    await tap(days.locator("button[aria-pressed=false]").first());
    // Repeats a tap that did not count. Tapping again too early would undo the choice.
    await chosen
      .nth(before)
      .waitFor({ timeout: 2_000 })
      .catch(() => undefined);
  }
}

async function moveOn(page: Page, questionId: number, optionId: number | undefined): Promise<void> {
  const option =
    optionId === undefined ? page.locator("main [data-option-id]").first() : page.locator(`main [data-option-id="${optionId}"]`);
  // A preparation screen moves on by itself, any other screen waits for a choice. So the race only waits for the option: a click
  // in the race could stay pending and press the next screen's option.
  await Promise.race([option.waitFor().catch(() => undefined), moved(page, questionId)]);
  if ((await currentQuestion(page)) === questionId) await tap(option);
  await page.waitForFunction(
    (id) => document.querySelector("main")?.dataset["questionId"] !== id || document.querySelector("[data-reward]") !== null,
    String(questionId),
  );
  // Enter skips the rest of the guide's sentence.
  if ((await currentQuestion(page)) === questionId) await page.keyboard.press("Enter");
  await moved(page, questionId);
}

/** Answers questions until one with this block shows. @returns the ids of the answered questions */
export async function walkToBlock(page: Page, block: string, visitor: Visitor, plan: Plan = {}): Promise<readonly number[]> {
  const path: number[] = [];
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  try {
    for (let steps = 0; steps < 90; steps += 1) {
      await ready(page);
      if ((await page.locator(`main [data-block="${block}"]`).count()) > 0) return path;
      path.push((await answer(page, visitor, plan)).questionId);
    }
  } catch (error) {
    const shows = await page.evaluate(() => document.body.innerText).catch(String);
    throw new Error(`stuck after ${path.join(" → ")} at ${page.url()}: ${problems.join("; ")}\n${shows}`, { cause: error });
  }
  throw new Error(`no question with ${block} after ${path.join(" → ")}`);
}

export const cards = { good: "4242 4242 4242 4242", challenged: "4000 0038 0000 0446", declined: "4000 0000 0000 0002" } as const;

/** Fills the provider's form and presses its button. */
export async function pay(page: Page, card: string): Promise<void> {
  const form = page.frameLocator("[data-block=paddle] iframe");
  await form.locator("input[name=number]").fill(card);
  await form.locator("input[name=expiry]").fill("12 / 30");
  await form.locator("input[name=cvc]").fill("123");
  await form.locator("input[name=name]").fill("Lucía Ramos");
  await form.locator("form button").click();
}

/** The account's current entitlements in the database. */
export function entitlementsOf(site: RunningSite, email: string): readonly Record<string, unknown>[] {
  return site.rows("SELECT e.status, e.ends_at FROM entitlements e JOIN accounts a ON a.uuid = e.account_uuid WHERE a.email = ?", email);
}
