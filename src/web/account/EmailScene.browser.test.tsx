import { compile } from "#core/questionnaire/compile.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { afterEach, expect, test, vi } from "vitest";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { ConnectionError } from "../api/client.ts";
import { defaultClientConfig } from "../clientConfig.ts";
import { silentServices } from "../services.ts";
import { frozenSession, renderedSnapshot } from "../session/session.ts";
import { SiteProvider, webSite } from "../siteContext.tsx";
import { EmailScene } from "./EmailScene.tsx";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root | undefined;
afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
});

function show(send: (email: string) => Promise<void>, waits: boolean) {
  const compiled = compile(smallQuestionnaire);
  vi.spyOn(console, "warn").mockReturnValue();
  const site = webSite({
    locale: "en-US",
    texts: { validator_invalid_email: "Not an address", validator_required: "Fill this in", "problem.connection": "No connection" },
    loadMoreTexts: () => Promise.resolve({}),
    session: frozenSession(compiled, renderedSnapshot(compiled, mexico, "")),
    services: silentServices(),
    client: defaultClientConfig,
    bare: true,
  });
  const place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
  act(() =>
    root?.render(
      <SiteProvider value={site}>
        <EmailScene route="forgot-password" figure="think" title="T" text="x" go="Send" send={send} waits={waits} />
      </SiteProvider>,
    ),
  );
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

test("a button that waits can be pressed once the address is one", async () => {
  const send = vi.fn(() => Promise.resolve());
  const { button, type } = show(send, true);
  expect(button.disabled).toBe(true);
  type("ana@example");
  expect(button.disabled).toBe(true);
  type(" ana@example.com ");
  expect(button.disabled).toBe(false);
  await act(async () => button.click());
  expect(send).toHaveBeenCalledExactlyOnceWith("ana@example.com");
});

test("a button that does not wait says what is wrong with the address, and the field has the focus", async () => {
  const send = vi.fn(() => Promise.resolve());
  const { field, button, type } = show(send, false);
  type("ana@example");
  await act(async () => button.click());
  expect([send.mock.calls.length, document.activeElement, document.body.textContent?.includes("Not an address")]).toEqual([0, field, true]);
});

test("a lost connection is told at the field, and what was typed stays", async () => {
  const { field, button, type } = show(() => Promise.reject(new ConnectionError("/api/login-link", null)), true);
  type("ana@example.com");
  await act(async () => button.click());
  expect([field.value, document.body.textContent?.includes("No connection"), button.disabled]).toEqual(["ana@example.com", true, false]);
});
