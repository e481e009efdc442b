import "#ui/tokens.css";
import "#ui/base.css";
import { renderBlock } from "#test/renderBlock.tsx";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { exampleOffer } from "../exampleSite.ts";
import { loaderLimit } from "../offerWait.view.tsx";

const loading = { ...exampleOffer, status: "loading", products: [], selected: null } as const;

test("arrow keys look at plans, Space and Enter choose one", async () => {
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

test.each(["price", "payment"] as const)(
  "the loader of %s hides after 15 s at most; trying again starts it anew (spec 001 §9)",
  async (type) => {
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
  },
);

test("the way on opens once the plans are there to be seen, and not before", async () => {
  const block = await renderBlock({ type: "price" }, { site: { offer: loading } });
  expect(block.status()).toBe("fail");
  await block.rerender({ offer: { ...loading, status: "failed" } });
  expect(block.status()).toBe("fail");
  await block.rerender({ offer: exampleOffer });
  expect(block.status()).toBe("pass");
  expect(block.onDone).toHaveBeenCalledOnce();
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
