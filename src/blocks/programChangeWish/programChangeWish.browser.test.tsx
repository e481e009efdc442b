import { renderBlock } from "#test/renderBlock.tsx";
import { expect, test, vi } from "vitest";

const content = {
  type: "programChangeWish",
  items: [
    { id: "one", text: "Uno" },
    { id: "two", text: "Dos", icon: "star" },
  ],
} as const satisfies Parameters<typeof renderBlock>[0];

test("a tap tells the page which item of which list was meant", async () => {
  const toggleListItem = vi.fn();
  const block = await renderBlock(content, { site: { toggleListItem } });
  await block.click(block.button("Dos"));
  expect(toggleListItem.mock.calls).toEqual([["programChangeWish", "two"]]);
});

test("what is chosen is marked, and how many are is said", async () => {
  const block = await renderBlock(content, { state: { programChangeWish: ["two"] } });
  expect(block.all("[role=checkbox]").map((item) => item.ariaChecked)).toEqual(["false", "true"]);
  expect(block.element.textContent).toContain("block.programChangeWish.chosen 1");
  expect(block.status()).toBe("pass");
});

test("it fails until something that is offered is chosen", async () => {
  expect((await renderBlock(content)).status()).toBe("fail");
  expect((await renderBlock(content, { state: { programChangeWish: ["retired"] } })).status()).toBe("fail");
});
