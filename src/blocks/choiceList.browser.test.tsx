import type { ListField } from "#core/questionnaire/state.ts";
import { renderBlock } from "#test/renderBlock.tsx";
import { describe, expect, test, vi } from "vitest";

const lists: readonly ListField[] = ["skillsToImprove", "moreInfoOf", "programChangeWish"];

describe.each(lists)("%s", (type) => {
  const content: Parameters<typeof renderBlock>[0] = {
    type,
    items: [
      { id: "one", text: "Uno" },
      { id: "two", text: "Dos", icon: "star" },
    ],
  };

  test("a tap reports the list and the item to the page", async () => {
    const toggleListItem = vi.fn();
    const block = await renderBlock(content, { site: { toggleListItem } });
    await block.click(block.button("Dos"));
    expect(toggleListItem.mock.calls).toEqual([[type, "two"]]);
  });

  test("chosen items are marked, and their number is shown", async () => {
    const block = await renderBlock(content, { state: { [type]: ["two"] } });
    expect(block.all("[role=checkbox]").map((item) => item.ariaChecked)).toEqual(["false", "true"]);
    expect(block.element.textContent).toContain("block.choiceList.chosen 1");
    expect(block.status()).toBe("pass");
  });

  test("it fails until an offered item is chosen", async () => {
    expect((await renderBlock(content)).status()).toBe("fail");
    expect((await renderBlock(content, { state: { [type]: ["retired"] } })).status()).toBe("fail");
  });
});
