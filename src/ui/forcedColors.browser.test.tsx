import "./tokens.css";
import { forceColors } from "#test/screen.ts";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test } from "vitest";
import { Button } from "./Button.tsx";
import { Icon } from "./Icon.tsx";
import { ProgressBar } from "./ProgressBar.tsx";
import { SpeechBubble } from "./SpeechBubble.tsx";
import { Spinner } from "./Spinner.tsx";

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

async function draw(what: ReactNode): Promise<Element> {
  await forceColors();
  const element = document.body.appendChild(document.createElement("div"));
  const root = createRoot(element);
  await act(() => root.render(what));
  onTestFinished(async () => {
    await act(() => root.unmount());
    element.remove();
  });
  const drawn = element.firstElementChild;
  if (drawn === null) throw new Error("Nothing was drawn");
  return drawn;
}
const page = () => getComputedStyle(document.body).backgroundColor;

test.each([
  ["the way on", () => <Button>Continuar</Button>],
  ["a second way", () => <Button kind="secondary">Cancelar</Button>],
  ["what somebody says", () => <SpeechBubble>Hola</SpeechBubble>],
])("%s keeps a visible edge when forced colors remove its background", async (_name, what) => {
  expect(getComputedStyle(await draw(what())).borderTopWidth).not.toBe("0px");
});

test("progress stays visible in forced colors", async () => {
  const bar = await draw(<ProgressBar percent={40} label="Progreso" />);
  const done = bar.firstElementChild;
  if (done === null) throw new Error("There is no bar");
  expect(getComputedStyle(done).backgroundColor).not.toBe(page());
  // The whole length of the bar stays visible, too.
  expect(getComputedStyle(bar).borderBottomWidth).not.toBe("0px");
});

test("the spinner stays visible in forced colors", async () => {
  expect(getComputedStyle(await draw(<Spinner />), "::before").backgroundColor).not.toBe(page());
});

test("an icon has the color of its text in forced colors", async () => {
  const words = await draw(
    <p>
      <style>{"p svg { color: #0b6bcb }"}</style>
      <Icon name="lock" />
    </p>,
  );
  const icon = words.querySelector("svg");
  if (icon === null) throw new Error("There is no icon");
  const { color, stroke } = getComputedStyle(icon);
  expect([color, stroke]).toEqual([getComputedStyle(words).color, getComputedStyle(words).color]);
});
