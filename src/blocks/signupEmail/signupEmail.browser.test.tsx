import { renderBlock } from "#test/renderBlock.tsx";
import { exampleFields, exampleSite } from "../exampleSite.ts";
import type { BlockSite } from "../view.ts";
import { act } from "react";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";

const { signup } = exampleSite({ locale: "es-419", t: (key) => key, picture: () => null });
const content = { type: "signupEmail", label: "Tu correo", hint: "Te mandamos tu plan." } as const;
const withEmail = (email: string, more: Partial<BlockSite["signup"]> = {}) => ({
  site: { signup: { ...signup, fields: { ...exampleFields, email }, ...more } },
});

test("a likely typo is pointed out, can be corrected by a tap, and is never refused", async () => {
  const setField = vi.fn();
  const block = await renderBlock(content, withEmail("ana@gmial.com", { setField }));
  await block.click(block.button("block.signupEmail.suggestion ana@gmail.com"));
  expect(setField).toHaveBeenLastCalledWith("email", "ana@gmail.com");
  expect((await renderBlock(content, withEmail("ana@gmail.com"))).all("button")).toEqual([]);
});

test("Enter stops once at a likely typo, then accepts the address; another typo stops it again", async () => {
  const onEnter = vi.fn();
  const slip = withEmail("ana@gmial.com", { onEnter });
  const block = await renderBlock(content, slip);
  block.one("input").focus();
  await act(() => userEvent.keyboard("{Enter}"));
  expect(onEnter).not.toHaveBeenCalled();
  const said = () => block.one("[aria-live] p").textContent;
  expect([said(), document.activeElement]).toEqual(["block.signupEmail.keep", block.one("input")]);
  await act(() => userEvent.keyboard("{Enter}"));
  expect(onEnter).toHaveBeenCalledOnce();
  const other = await renderBlock(content, withEmail("ana@hotmial.com", { onEnter }));
  other.one("input").focus();
  await act(() => userEvent.keyboard("{Enter}"));
  expect(onEnter).toHaveBeenCalledOnce();
});

test("the input is marked as invalid, and described by the error and the hint", async () => {
  const block = await renderBlock(content, withEmail("ana@", { errors: { email: "Escribe un correo válido" } }));
  const input = block.one("input");
  expect(input.getAttribute("aria-invalid")).toBe("true");
  const said = (input.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent);
  expect(said).toEqual(["Escribe un correo válido", "Te mandamos tu plan."]);
});

test("the phone shows the keyboard for e-mail addresses, for at most 254 characters", async () => {
  const input = (await renderBlock(content)).one("input");
  expect(
    Object.fromEntries(
      ["type", "inputmode", "autocomplete", "enterkeyhint", "autocapitalize", "maxlength"].map((name) => [name, input.getAttribute(name)]),
    ),
  ).toEqual({
    type: "email",
    inputmode: "email",
    autocomplete: "email",
    enterkeyhint: "next",
    autocapitalize: "none",
    maxlength: "254",
  });
});

test("typing, blur and Enter are reported to the page", async () => {
  const setField = vi.fn();
  const onBlur = vi.fn();
  const onEnter = vi.fn();
  const block = await renderBlock(content, withEmail("", { setField, onBlur, onEnter }));
  block.one("input").focus();
  await userEvent.keyboard("a{Enter}{Tab}");
  expect(setField).toHaveBeenLastCalledWith("email", "a");
  expect(onEnter).toHaveBeenCalledOnce();
  expect(onBlur).toHaveBeenCalledExactlyOnceWith("email");
});
