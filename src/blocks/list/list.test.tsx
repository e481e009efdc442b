import { blockMarkup, readText } from "#test/blockMarkup.tsx";
import { expect, it } from "vitest";

it("is numbered when ordered, without announcing numbers twice", () => {
  const markup = blockMarkup({
    type: "list",
    ordered: true,
    items: [{ text: "Confirma tu correo" }, { text: "Baja la app", icon: "smartphone" }],
  });
  expect(markup).toContain("<ol");
  expect(readText(markup)).toBe("Confirma tu correo Baja la app");
  expect(markup).not.toContain("<svg");
});

it("has a tick without an icon, or for an unknown one", () => {
  const icons = (icon?: string) =>
    blockMarkup({ type: "list", items: [{ text: "Uno", ...(icon === undefined ? {} : { icon }) }] }).match(/#([a-z-]+)"/)?.[1];
  expect(icons()).toBe("check");
  expect(icons("toString")).toBe("check");
  expect(icons("mic")).toBe("mic");
});
