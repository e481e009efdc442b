import "#ui/tokens.css";
import "#ui/base.css";
import { renderBlock } from "#test/renderBlock.tsx";
import { resize } from "#test/screen.ts";
import { exampleCheckout, exampleOffer } from "#blocks/exampleSite.ts";
import type { Checkout } from "#blocks/view.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { frameTarget, loaderLimit } from "./spec.ts";

const content = { type: "paddle" } as const;

function checkout(status: Checkout["status"], works = true) {
  const way = () => vi.fn(() => Promise.resolve(works));
  return { ...exampleCheckout, status, open: vi.fn(), close: vi.fn(), openHosted: way(), mailLink: way() };
}

test("it opens the provider's form in its frame once, and always blocks", async () => {
  const loading = checkout("loading");
  const block = await renderBlock(content, { site: { checkout: loading } });
  expect(loading.open.mock.calls).toEqual([[frameTarget]]);
  expect(block.all(`.${frameTarget}`)).toHaveLength(1);
  const open = checkout("open");
  await block.rerender({ checkout: open });
  expect(open.open).not.toHaveBeenCalled();
  expect(block.status()).toBe("block");
});

test("it opens anew for another plan or coupon, so that nobody pays for the one before, but not when the offer has loaded", async () => {
  const form = checkout("open");
  const [month, quarter] = exampleOffer.products;
  const offered = (selected: typeof month | null, coupon: string | null = null) => ({
    checkout: form,
    offer: { ...exampleOffer, selected: selected ?? null, coupon },
  });
  const block = await renderBlock(content, { site: offered(null) });
  await block.rerender(offered(month));
  expect([form.open.mock.calls.length, form.close.mock.calls.length]).toEqual([1, 0]);
  await block.rerender(offered(quarter));
  expect([form.open.mock.calls.length, form.close.mock.calls.length]).toEqual([2, 1]);
  await block.rerender(offered(quarter, "PARLANDO50"));
  expect([form.open.mock.calls.length, form.close.mock.calls.length]).toEqual([3, 2]);
  // A plan that cannot be sold reloads the offer: the visitor sees the new price before the form.
  await block.rerender(offered(null));
  await block.rerender(offered(month));
  expect(form.open).toHaveBeenCalledTimes(3);
});

test("no form is opened before hydration, because the page may still redirect", async () => {
  const idle = checkout("idle");
  const block = await renderBlock(content, { site: { checkout: idle, live: false } });
  expect(idle.open).not.toHaveBeenCalled();
  await block.rerender({ checkout: idle, live: true });
  expect(idle.open).toHaveBeenCalledOnce();
});

test("the panel is at least 200 px high before the form has loaded", async () => {
  const block = await renderBlock(content, { site: { checkout: checkout("loading") } });
  expect(getComputedStyle(block.one("[aria-busy]")).minHeight).toBe("200px");
  expect(block.one("[aria-busy]").clientHeight).toBeGreaterThanOrEqual(200);
});

test.each([320, 360, 390])("a phone %i px wide shows the 312 px that the provider's form needs", async (width) => {
  await resize(width, 640);
  onTestFinished(() => resize(390, 844));
  document.body.style.paddingInline = "var(--gutter)";
  onTestFinished(() => document.body.removeAttribute("style"));
  const block = await renderBlock(content, { site: { checkout: checkout("open") } });
  const frame = block.one(`.${frameTarget}`);
  const form = frame.appendChild(document.createElement("div"));
  form.style.minWidth = "312px";
  expect(frame.scrollWidth).toBe(frame.clientWidth);
  expect(frame.getBoundingClientRect().left).toBeGreaterThanOrEqual(0);
  expect(document.documentElement.scrollWidth).toBe(width);
});

test("the loader shows until the form is open", async () => {
  const block = await renderBlock(content, { site: { checkout: checkout("loading") } });
  expect(block.element.textContent).toContain("block.paddle.loading");
  await block.rerender({ checkout: checkout("open") });
  expect(block.element.textContent).not.toContain("block.paddle.loading");
  expect(block.one(`.${frameTarget}`).hidden).toBe(false);
});

test("after 15 s without a form the loader hides and the alternatives show", async () => {
  expect(loaderLimit).toBe(15_000);
  const block = await renderBlock(content, { site: { checkout: checkout("loading") } });
  await block.advance(loaderLimit - 1);
  expect(block.element.textContent).toContain("block.paddle.loading");
  expect(block.all("[role=alert]")).toHaveLength(0);
  await block.advance(1);
  expect(block.element.textContent).not.toContain("block.paddle.loading");
  expect(block.all("[role=alert]")).toHaveLength(1);
});

test.each([
  ["after too many tries", "limited"],
  ["when the provider itself does not answer", "down"],
] as const)("%s the page does not blame a blocker, but names the cause and offers a retry", async (_when, status) => {
  const block = await renderBlock(content, { site: { checkout: checkout(status) } });
  expect(block.one("[role=alert]").textContent).toBe(`block.paddle.${status}Titleblock.paddle.${status}Text`);
  expect(block.all("button").map(({ textContent }) => textContent)).toEqual(["block.paddle.retry"]);
});

test("a form that loads late is still shown", async () => {
  const block = await renderBlock(content, { site: { checkout: checkout("loading") } });
  await block.advance(loaderLimit);
  await block.rerender({ checkout: checkout("open") });
  expect(block.all("[role=alert]")).toHaveLength(0);
  expect(block.one(`.${frameTarget}`).hidden).toBe(false);
});

test("after a failure the visitor can retry, and the loader's time restarts", async () => {
  const failed = checkout("failed");
  const block = await renderBlock(content, { site: { checkout: failed } });
  expect(block.all("[role=alert]")).toHaveLength(1);
  await block.click(block.button("block.paddle.retry"));
  expect(failed.close).toHaveBeenCalledOnce();
  expect(failed.open).toHaveBeenCalledTimes(2);
  await block.rerender({ checkout: checkout("loading") });
  await block.advance(loaderLimit - 1);
  expect(block.element.textContent).toContain("block.paddle.loading");
});

test.each([
  [true, ""],
  [false, "block.paddle.hostedFailed"],
])("after a failure the hosted page can be opened, and if that fails, the page says so (%s)", async (works, words) => {
  const failed = checkout("failed", works);
  const block = await renderBlock(content, { site: { checkout: failed } });
  await block.click(block.button("block.paddle.openHosted"));
  expect(failed.openHosted).toHaveBeenCalledOnce();
  expect(block.all("[role=status]").map((status) => status.textContent)).toEqual([words]);
});

test.each([
  [true, "block.paddle.mailSent lucia.ramos@ejemplo.mx"],
  [false, "block.paddle.mailFailed"],
])("the link can be mailed, and the page says whether that worked (%s)", async (mailed, words) => {
  const failed = checkout("failed", mailed);
  const block = await renderBlock(content, { site: { checkout: failed } });
  await block.click(block.button("block.paddle.mailLink"));
  expect(failed.mailLink).toHaveBeenCalledOnce();
  expect(block.all("[role=status]").map((status) => status.textContent)).toContain(words);
});

test("the three alternatives also show below a working form", async () => {
  const open = checkout("open");
  const t = (key: string, values?: Readonly<Record<string, string | number | undefined>>) =>
    key === "block.paddle.help" ? `No form? ${values?.["RETRY"]}, ${values?.["HOSTED"]} or ${values?.["MAIL"]}.` : key;
  const block = await renderBlock(content, { site: { checkout: open, t } });
  await block.click(block.button("block.paddle.helpHosted"));
  await block.click(block.button("block.paddle.helpMail"));
  await block.click(block.button("block.paddle.helpRetry"));
  expect(open.openHosted).toHaveBeenCalledOnce();
  expect(open.mailLink).toHaveBeenCalledOnce();
  expect(open.open).toHaveBeenCalledTimes(2);
});

test("a failed form is reopened when the connection is back; an open or rate-limited one is not", async () => {
  for (const [status, opened] of [
    ["failed", 1],
    ["open", 0],
    ["limited", 0],
  ] as const) {
    const now = checkout(status);
    const block = await renderBlock(content, { site: { checkout: now } });
    now.open.mockClear();
    dispatchEvent(new Event("online"));
    await block.advance(0);
    expect([status, now.open.mock.calls.length]).toEqual([status, opened]);
  }
});
