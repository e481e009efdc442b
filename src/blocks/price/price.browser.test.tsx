import "#ui/tokens.css";
import "#ui/base.css";
import { formatsFor } from "#core/formats.ts";
import { renderBlock } from "#test/renderBlock.tsx";
import { translate } from "#test/translated.ts";
import { act } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { exampleOffer } from "../exampleSite.ts";
import { loaderLimit } from "../offerWait.view.tsx";

const loading = { ...exampleOffer, status: "loading", products: [], selected: null } as const;

test("arrow keys move between plans, Space and Enter choose one", async () => {
  const select = vi.fn();
  const block = await renderBlock({ type: "price" }, { site: { offer: { ...exampleOffer, select } } });
  const radios = block.all("[role=radio]");
  expect(radios.map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1]);
  radios[1]?.focus();
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(radios[2]);
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(radios[0]);
  expect(select).not.toHaveBeenCalled();
  await userEvent.keyboard(" ");
  expect(select).toHaveBeenLastCalledWith("sub-1M");
  await userEvent.keyboard("{End}{Enter}");
  expect(select).toHaveBeenLastCalledWith("sub-12M");
});

test.each(["price", "payment"] as const)("the loader of %s hides after at most 15 s; a retry restarts it (spec 001 §9)", async (type) => {
  expect(loaderLimit).toBe(15_000);
  const retry = vi.fn();
  const block = await renderBlock({ type }, { site: { offer: { ...loading, retry } } });
  await block.advance(loaderLimit - 5);
  expect(block.element.textContent).toBe("block.price.loading");
  await block.advance(5);
  expect(block.element.textContent).toContain("block.price.late");
  await block.click(block.button("block.price.retry"));
  expect(retry).toHaveBeenCalledOnce();
  expect(block.element.textContent).toBe("block.price.loading");
});

test("the visitor can go on only once the plans are shown", async () => {
  const block = await renderBlock({ type: "price" }, { site: { offer: loading } });
  expect(block.status()).toBe("fail");
  await block.rerender({ offer: { ...loading, status: "failed" } });
  expect(block.status()).toBe("fail");
  await block.rerender({ offer: exampleOffer });
  expect(block.status()).toBe("pass");
  expect(block.onDone).toHaveBeenCalledOnce();
});

test("a code that is no better says so at its field, and names the one that stays, until another plan is chosen", async () => {
  const offer = { ...exampleOffer, coupon: "VUELVE30", takesCoupon: true, applyCoupon: () => Promise.resolve("kept" as const) };
  const block = await renderBlock({ type: "price" }, { site: { offer } });
  await block.click(block.one("summary"));
  await act(() => userEvent.fill(block.one("input"), "AMIGOS20"));
  await block.click(block.button("block.price.couponApply"));
  expect(block.one("details").textContent).toContain("block.price.couponKept VUELVE30");
  await block.rerender({ offer: { ...offer, selected: offer.products.find((product) => product !== offer.selected) ?? null } });
  expect(block.one("details").textContent).not.toContain("block.price.couponKept");
});

test("the form for a code and its error scroll into view, and the cursor is in the field", async () => {
  const offer = { ...exampleOffer, takesCoupon: true, applyCoupon: () => Promise.resolve("unknown" as const) };
  const block = await renderBlock({ type: "price" }, { site: { offer } });
  const form = block.one("details");
  const isInView = () => form.getBoundingClientRect().bottom <= innerHeight;
  block.element.style.marginBottom = "100vh";
  scrollTo(0, form.getBoundingClientRect().bottom + scrollY - innerHeight);
  await block.click(block.one("summary"));
  await expect.poll(() => document.activeElement).toBe(block.one("input"));
  await expect.poll(isInView).toBe(true);
  await act(() => userEvent.fill(block.one("input"), "NADA50"));
  scrollTo(0, form.getBoundingClientRect().bottom + scrollY - innerHeight);
  await block.click(block.button("block.price.couponApply"));
  expect(form.textContent).toContain("block.price.couponUnknown");
  await expect.poll(isInView).toBe(true);
});

test.each(["price", "payment"] as const)(
  "on a page that the browser has translated, %s shows another plan and a code's prices",
  async (type) => {
    const [month] = exampleOffer.products;
    const reduced = exampleOffer.products.map((product) => ({ ...product, price: product.price - 100, listPrice: product.price }));
    const block = await renderBlock({ type }, { site: { offer: { ...exampleOffer, selected: month ?? null } } });
    for (const offer of [exampleOffer, { ...exampleOffer, products: reduced, selected: reduced[1] ?? null, coupon: "VUELVE30" }]) {
      translate(block.element);
      await block.rerender({ offer });
      const fresh = await renderBlock({ type }, { site: { offer } });
      expect(block.element.textContent).toBe(fresh.element.textContent);
    }
  },
);

test("a code that is applied already says so at its field", async () => {
  const offer = { ...exampleOffer, coupon: "VUELVE30", takesCoupon: true, applyCoupon: () => Promise.resolve("same" as const) };
  const block = await renderBlock({ type: "price" }, { site: { offer } });
  await block.click(block.one("summary"));
  await act(() => userEvent.fill(block.one("input"), "VUELVE30"));
  await block.click(block.button("block.price.couponApply"));
  expect(block.one("details").textContent).toContain("block.price.couponSame");
});

test("the panel is at least 200 px high in every state (spec 001 §9)", async () => {
  const block = await renderBlock({ type: "price" }, { site: { offer: loading } });
  const height = () => block.one("[data-block=price] > div").getBoundingClientRect().height;
  expect(height()).toBeGreaterThanOrEqual(200);
  await block.rerender({ offer: { ...loading, status: "failed" } });
  expect(height()).toBeGreaterThanOrEqual(200);
  await block.rerender({ offer: { ...exampleOffer, products: exampleOffer.products.slice(0, 1), selected: null } });
  expect(height()).toBeGreaterThanOrEqual(200);
});

test("a single plan leaves no gap in the panel, and its tag stays on the card's edge", async () => {
  const products = exampleOffer.products.slice(0, 1);
  const configurationOf: typeof exampleOffer.configurationOf = (product) => ({ ...exampleOffer.configurationOf(product), tag: "Oferta" });
  const offer = { ...exampleOffer, products, configurationOf, selected: null, takesCoupon: false };
  const block = await renderBlock({ type: "price" }, { site: { offer } });
  const box = (selector: string) => block.one(selector).getBoundingClientRect();
  expect(box("[data-block=price] > div").bottom - box("[role=radio]").bottom).toBeLessThan(20);
  const tag = box("[role=radio] > :first-child");
  expect(tag.top).toBeLessThan(box("[role=radio]").top);
  expect(block.one("[role=radio] > :first-child").textContent).toBe("Oferta");
});

test.each([
  ["price", "R$ 478,80"],
  ["payment", "R$ 478,80"],
  ["price", "$ 1.914.900,00"],
  ["payment", "$ 1.914.900,00"],
] as const)("%s keeps %s on one line in the narrow side card, with text twice as large", async (type, amount) => {
  document.documentElement.style.fontSize = "200%";
  onTestFinished(() => document.documentElement.removeAttribute("style"));
  const spaced = amount.replace(" ", "\u00a0");
  const formats = { ...formatsFor("pt-BR"), money: () => spaced };
  const block = await renderBlock({ type }, { site: { formats } });
  block.element.style.width = "310px";
  const card = block.element.getBoundingClientRect();
  const amounts = textNodes(block.element).filter(({ data, parentElement }) => data.includes(spaced) && !parentElement?.matches(".sr"));
  expect(amounts.length).toBeGreaterThan(3);
  for (const node of amounts) {
    const range = document.createRange();
    const from = node.data.indexOf(spaced);
    range.setStart(node, from);
    range.setEnd(node, from + spaced.length);
    expect([...range.getClientRects()].filter(({ width }) => width > 0)).toHaveLength(1);
    expect(range.getBoundingClientRect().right).toBeLessThanOrEqual(Math.ceil(card.right));
  }
});

test.each([310, 390, 700])("the tag on a plan of %i px is above the plan’s name, also with text twice as large", async (width) => {
  document.documentElement.style.fontSize = "200%";
  onTestFinished(() => document.documentElement.removeAttribute("style"));
  const configurationOf: typeof exampleOffer.configurationOf = (product) => ({
    ...exampleOffer.configurationOf(product),
    tag: "Nossa recomendação",
  });
  const block = await renderBlock({ type: "price" }, { site: { offer: { ...exampleOffer, configurationOf } } });
  block.element.style.width = `${width}px`;
  for (const plan of block.all("[role=radio]")) {
    const [tag, , words] = plan.children;
    expect(tag?.textContent).toBe("Nossa recomendação");
    expect(tag?.getBoundingClientRect().bottom).toBeLessThanOrEqual(words?.getBoundingClientRect().top ?? 0);
  }
});

function textNodes(element: Element): readonly Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) if (node instanceof Text) found.push(node);
  return found;
}
