import { blockMarkup, readText } from "#test/blockMarkup.tsx";
import { expect, it } from "vitest";

it("has numbers when ordered, announced only once", () => {
  const markup = blockMarkup({
    type: "list",
    ordered: true,
    items: [{ text: "Confirma tu correo" }, { text: "Baja la app", icon: "smartphone" }],
  });
  expect(markup).toContain("<ol");
  expect(readText(markup)).toBe("Confirma tu correo Baja la app");
  expect(markup).not.toContain("<svg");
});

it("shows a tick for a missing or unknown icon", () => {
  const icons = (icon?: string) =>
    blockMarkup({ type: "list", items: [{ text: "Uno", ...(icon === undefined ? {} : { icon }) }] }).match(/#([a-z-]+)"/)?.[1];
  expect(icons()).toBe("check");
  expect(icons("toString")).toBe("check");
  expect(icons("mic")).toBe("mic");
});

it("shows the items that the visitor chose in an earlier list, and all items to a visitor who chose none", () => {
  const items = (["speaking", "words"] as const).map((item) => ({ text: item, chosen: { list: "skillsToImprove" as const, item } }));
  const shown = (skillsToImprove: readonly string[]) => readText(blockMarkup({ type: "list", items }, { state: { skillsToImprove } }));
  expect(shown(["words"])).toBe("words");
  expect(shown(["words", "speaking"])).toBe("speaking words");
  expect(shown([])).toBe("speaking words");
});
