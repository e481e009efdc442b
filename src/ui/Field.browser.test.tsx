import { act, type ReactNode, useState } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, onTestFinished, test } from "vitest";
import { userEvent } from "vitest/browser";
import { Field } from "./Field.tsx";

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

function Name({ onEnter }: { readonly onEnter: () => void }) {
  const [name, setName] = useState("");
  return (
    <>
      <Field label="Nombre" value={name} onChange={setName} onEnter={onEnter} />
      <output>{name}</output>
    </>
  );
}

async function wakeUp(typed: string, onEnter = () => {}) {
  const element = document.body.appendChild(document.createElement("div"));
  element.innerHTML = renderToString(<Name onEnter={onEnter} />);
  const input = element.querySelector("input");
  if (input === null) throw new Error("There is no input");
  input.value = typed;
  const root = await act(() => hydrateRoot(element, <Name onEnter={onEnter} />));
  onTestFinished(async () => {
    await act(() => root.unmount());
    element.remove();
  });
  return { input, said: () => element.querySelector("output")?.textContent };
}

test("text typed before hydration is kept", async () => {
  const { input, said } = await wakeUp("Lucía");
  expect(input.value).toBe("Lucía");
  expect(said()).toBe("Lucía");
});

test("Enter sends, unless it confirms a word of an input method", async () => {
  let sent = 0;
  const { input } = await wakeUp("", () => (sent += 1));
  input.focus();
  await act(async () => input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing: true })));
  expect(sent).toBe(0);
  await act(() => userEvent.keyboard("{Enter}"));
  expect(sent).toBe(1);
});

test("holding Enter down sends once", async () => {
  let sent = 0;
  const { input } = await wakeUp("", () => (sent += 1));
  const down = (repeat: boolean) =>
    act(async () => input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, repeat })));
  for (const repeat of [false, true, true]) await down(repeat);
  expect(sent).toBe(1);
});

test("the label names the input, and there is a limit of 255 characters (spec 001 §5)", async () => {
  const { input } = await wakeUp("");
  expect(input.labels?.[0]?.textContent).toBe("Nombre");
  expect(input.maxLength).toBe(255);
});

function EmailField() {
  const [left, setLeft] = useState(false);
  const [clicks, setClicks] = useState(0);
  return (
    <>
      <Field label="Correo" value="" onChange={() => {}} onBlur={() => setLeft(true)} error={left ? "Escribe tu correo." : undefined} />
      <button type="button" onClick={() => setClicks((before) => before + 1)}>
        Crear una cuenta
      </button>
      <output>{clicks}</output>
    </>
  );
}

test("an error shown on blur does not move the page under the finger, so the click counts", async () => {
  const element = await mounted(<EmailField />);
  const press = () => act(() => userEvent.click(element.querySelector("button") ?? element));
  element.querySelector("input")?.focus();
  await press();
  await expect.poll(() => element.querySelector("[aria-live]")?.textContent).toBe("Escribe tu correo.");
  expect(element.querySelector("output")?.textContent).toBe("1");
  // Leaving by keyboard shows the error at once.
  const again = await mounted(<EmailField />);
  again.querySelector("input")?.focus();
  await act(() => userEvent.tab());
  expect(again.querySelector("[aria-live]")?.textContent).toBe("Escribe tu correo.");
});

async function mounted(node: ReactNode) {
  const element = document.body.appendChild(document.createElement("div"));
  const root = createRoot(element);
  await act(async () => root.render(node));
  onTestFinished(async () => {
    await act(async () => root.unmount());
    element.remove();
  });
  return element;
}
