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
