import { uiTexts } from "#content/texts/ui.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { expect, test, vi } from "vitest";
import { act } from "react";
import { ConnectionError } from "../api/request.ts";
import { EmailScene } from "./EmailScene.tsx";

const texts = {
  ...uiTexts("en-US"),
  validator_invalid_email: "Not an address",
  validator_required: "Fill this in",
  "problem.offline": "No connection",
};

async function show(send: (email: string) => Promise<void>, waits: boolean) {
  const site = testSite({ locale: "en-US", texts });
  await mount(site, <EmailScene route="forgot-password" figure="think" title="T" text="x" go="Send" send={send} waits={waits} />);
  const field = document.querySelector("input");
  const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Send");
  if (!field || !button) throw new Error("No form");
  const type = (value: string) =>
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  return { field, button, type };
}

test("a waiting button is enabled once the address is valid", async () => {
  const send = vi.fn(() => Promise.resolve());
  const { button, type } = await show(send, true);
  expect(button.disabled).toBe(true);
  type("ana@example");
  expect(button.disabled).toBe(true);
  type(" ana@example.com ");
  expect(button.disabled).toBe(false);
  await act(async () => button.click());
  expect(send).toHaveBeenCalledExactlyOnceWith("ana@example.com");
});

test("a button that does not wait shows what is wrong with the address and focuses the field", async () => {
  const send = vi.fn(() => Promise.resolve());
  const { field, button, type } = await show(send, false);
  type("ana@example");
  const heard: string[] = [];
  for (const kind of ["focus", "blur"]) field.addEventListener(kind, () => heard.push(kind));
  await act(async () => button.click());
  expect(heard.slice(0, 2)).toEqual(["focus", "blur"]);
  expect([send.mock.calls.length, document.activeElement, document.body.textContent?.includes("Not an address")]).toEqual([0, field, true]);
});

test("a lost connection is shown at the field, and the typed address stays", async () => {
  const { field, button, type } = await show(() => Promise.reject(new ConnectionError("/api/login-link", null)), true);
  type("ana@example.com");
  await act(async () => button.click());
  expect([field.value, document.body.textContent?.includes("No connection"), button.disabled]).toEqual(["ana@example.com", true, false]);
});

test("a likely typo is pointed out, stops Enter once, can be corrected by a tap, and is never refused", async () => {
  const send = vi.fn(() => Promise.resolve());
  const { field, type } = await show(send, true);
  const enter = () => act(async () => void field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
  type("ana@gmial.com");
  await enter();
  expect(send).not.toHaveBeenCalled();
  const meant = [...document.querySelectorAll("button")].find(({ textContent }) => textContent.includes("ana@gmail.com"));
  await act(async () => meant?.click());
  expect(field.value).toBe("ana@gmail.com");
  type("eva@gmial.com");
  await enter();
  expect(send).not.toHaveBeenCalled();
  await enter();
  expect(send).toHaveBeenCalledExactlyOnceWith("eva@gmial.com");
});
