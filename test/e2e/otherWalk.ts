/** Walks the funnel in another browser, as `walk.ts` does in Chromium: by the visible page, with real taps and keys. */
import type { OtherBrowser } from "./otherBrowser.ts";
import { hangingWait } from "../patience.ts";
import type { Visitor } from "./walk.ts";

/** Repeats `ask` until it has a result. A loading page has none. */
export async function until<T>(what: string, ask: () => Promise<T | false | null | undefined>): Promise<T> {
  const deadline = Date.now() + hangingWait;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== null && answer !== false) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`timed out waiting for ${what} (last: ${String(last)})`);
}

/**
 * The point at which to tap an element. It is away from the last tap, because a second tap at the same place could count as a double tap (decision 097). Null while
 * the element is missing, moving, disabled or covered. Null, too, while the page accepts no taps: before it is painted and while it fades. Runs in the page.
 */
function place(last: number, frame: string | null, selector: string, nth: number) {
  const tellsPaint = PerformanceObserver.supportedEntryTypes.includes("paint");
  if (tellsPaint && performance.getEntriesByName("first-contentful-paint").length === 0) return null;
  if (document.querySelector("[data-readable='']") !== null) return null;
  const holder = frame === null ? null : document.querySelector<HTMLIFrameElement>(frame);
  const inside = frame === null ? document : holder?.contentDocument;
  const element = inside?.querySelectorAll<HTMLElement>(selector)[nth];
  if (inside === null || inside === undefined || element === undefined) return null;
  if (element.matches(":disabled, [aria-disabled=true], [aria-busy=true]")) return null;
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  const x = box.x + box.width * (Math.abs(box.x + box.width / 4 - last) > Math.abs(box.x + (box.width * 3) / 4 - last) ? 1 / 4 : 3 / 4);
  const y = box.y + box.height / 2;
  const hit = inside.elementFromPoint(x, y);
  if (hit === null || !(element.contains(hit) || hit.closest("label")?.contains(element) === true)) return null;
  const around = holder?.getBoundingClientRect();
  return { x: x + (around?.x ?? 0), y: y + (around?.y ?? 0) };
}

export interface Target {
  readonly selector: string;
  /** Index among several elements. */
  readonly nth?: number;
  /** Selector of the element's frame. */
  readonly frame?: string;
}

/** Waits until two results in a row are equal, because a loading page moves its elements. */
async function resting<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  let before = "null";
  return until(what, async () => {
    const now = await ask();
    const rests = JSON.stringify(now) === before;
    before = JSON.stringify(now);
    return rests && now;
  });
}

/** The x coordinate of each browser's last tap. */
const lastTaps = new WeakMap<OtherBrowser, number>();

async function tapAt(browser: OtherBrowser, at: { readonly x: number; readonly y: number }): Promise<void> {
  lastTaps.set(browser, at.x);
  await browser.tap(at);
}

export async function tap(browser: OtherBrowser, target: Target | string): Promise<void> {
  const { selector, nth = 0, frame = null } = typeof target === "string" ? { selector: target } : target;
  const last = lastTaps.get(browser) ?? 0;
  await tapAt(browser, await resting(`a place to tap: ${selector}`, () => browser.run(place, last, frame, selector, nth)));
}

export async function fill(browser: OtherBrowser, target: Target | string, text: string): Promise<void> {
  const { selector, nth = 0, frame = null } = typeof target === "string" ? { selector: target } : target;
  await tap(browser, target);
  await until(`the cursor in ${selector}`, () =>
    browser.run(
      (frame, selector, nth) => {
        const inside = frame === null ? document : document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
        return inside?.activeElement === inside?.querySelectorAll(selector)[nth];
      },
      frame,
      selector,
      nth,
    ),
  );
  await browser.type(text);
}

/** Opens a URL and waits for hydration. */
export async function open(browser: OtherBrowser, url: string): Promise<void> {
  await browser.open(url);
  await ready(browser);
}

export async function ready(browser: OtherBrowser): Promise<void> {
  await until("the page's script", () => browser.run(() => document.documentElement.dataset["ready"] === "true"));
}

export function currentQuestion(browser: OtherBrowser): Promise<number> {
  return browser.run(() => Number(document.querySelector("main")?.dataset["questionId"]));
}

export async function isAt(browser: OtherBrowser, route: string): Promise<void> {
  await until(`the page ${route}`, () => browser.run((route) => document.querySelector("main")?.dataset["route"] === route, route));
}

export async function isAtQuestion(browser: OtherBrowser, id: number): Promise<void> {
  await until(`question ${id}`, async () => (await currentQuestion(browser)) === id);
}

/** Blocks in which at least one item must be chosen. */
const lists: readonly string[] = ["skillsToImprove", "moreInfoOf", "programChangeWish"];

export interface OtherPlan {
  readonly options?: Readonly<Record<number, number>>;
  /** Called before each question is answered. */
  readonly look?: (questionId: number) => Promise<void>;
}

/** Answers the current question and waits for the next one. @returns its id */
export async function answer(browser: OtherBrowser, visitor: Visitor, { options, look }: OtherPlan = {}): Promise<number> {
  await ready(browser);
  const id = await currentQuestion(browser);
  const blocks = await browser.run(() =>
    [...document.querySelectorAll<HTMLElement>("main [data-block]")].map((block) => block.dataset["block"] ?? ""),
  );
  await look?.(id);
  if (blocks.includes("signupEmail")) await fill(browser, "main input[type=email]", visitor.email);
  if (blocks.includes("signupPassword")) await fill(browser, "main input[autocomplete=new-password]", visitor.password);
  if (blocks.includes("signupName")) await fill(browser, "main input[autocomplete=given-name]", visitor.firstname);
  if (blocks.includes("studySchedule")) await tap(browser, { selector: "main [role=radio], main input[type=radio]", nth: 1 });
  if (blocks.includes("daySelection")) await chooseDays(browser);
  if (blocks.some((block) => lists.includes(block))) await tap(browser, "main [role=checkbox], main input[type=checkbox]");
  const wanted = options?.[id];
  const here = `main[data-question-id="${id}"]`;
  if (blocks.includes("slideshow")) await leafThrough(browser, id, `${here} [data-block=slideshow] button:last-of-type`);
  else await moveOn(browser, id, `${here} [data-option-id${wanted === undefined ? "" : `="${wanted}"`}]`);
  await until(`what comes after question ${id}`, async () => (await currentQuestion(browser)) !== id);
  return id;
}

/** Taps the element that leads on, once. A preparation screen may move on by itself before that. */
async function moveOn(browser: OtherBrowser, id: number, selector: string): Promise<void> {
  const at = await resting(`the way on from question ${id}`, async () =>
    (await currentQuestion(browser)) === id ? browser.run(place, lastTaps.get(browser) ?? 0, null, selector, 0) : "moved",
  );
  if (at !== "moved") await tapAt(browser, at);
}

/** Presses the slideshow's button through the last slide. */
async function leafThrough(browser: OtherBrowser, id: number, selector: string): Promise<void> {
  while ((await currentQuestion(browser)) === id) await moveOn(browser, id, selector);
}

async function chooseDays(browser: OtherBrowser): Promise<void> {
  const days = "[data-block=daySelection] button[aria-pressed]";
  for (let day = 0; day < 7; day += 1) {
    const wanted = await browser.run(
      (days, day) =>
        document.querySelector<HTMLButtonElement>("main [data-option-id]")?.disabled === true &&
        document.querySelectorAll(days)[day]?.getAttribute("aria-pressed") === "false",
      days,
      day,
    );
    if (wanted) await tap(browser, { selector: days, nth: day });
  }
}

/** Answers questions until one with this block shows. @returns the ids of the answered questions */
export async function walkToBlock(
  browser: OtherBrowser,
  block: string,
  visitor: Visitor,
  plan: OtherPlan = {},
): Promise<readonly number[]> {
  const path: number[] = [];
  while (path.length < 90) {
    await ready(browser);
    if (await browser.run((block) => document.querySelector(`main [data-block="${block}"]`) !== null, block)) return path;
    path.push(await answer(browser, visitor, plan));
  }
  throw new Error(`no question with ${block} after ${path.join(" → ")}`);
}

/** Fills the provider's form and presses its button. */
export async function pay(browser: OtherBrowser, card: string): Promise<void> {
  const frame = "[data-block=paddle] iframe";
  const fields = { number: card, expiry: "12 / 30", cvc: "123", name: "Lucía Ramos" };
  for (const [name, text] of Object.entries(fields)) await fill(browser, { frame, selector: `input[name=${name}]` }, text);
  await tap(browser, { frame, selector: "form button" });
}
