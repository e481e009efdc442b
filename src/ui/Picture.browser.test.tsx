import { stage } from "#test/stage.ts";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test } from "vitest";
import { Picture } from "./Picture.tsx";

test("a picture that does not come leaves the panel behind it, its words stay, and it shows when it comes after all", async () => {
  const element = stage("es-419");
  const root = createRoot(element);
  onTestFinished(() => act(() => root.unmount()));
  const source = { name: "dance", width: 128, height: 277, ext: "png", variants: [], locales: [] } as const;
  await act(async () => root.render(<Picture source={source} locale="es-419" alt="Baila" />));
  const img = element.querySelector("img");
  const tell = (type: string) => act(async () => void img?.dispatchEvent(new Event(type)));
  await tell("error");
  expect([img?.style.opacity, img?.alt]).toEqual(["0", "Baila"]);
  await tell("load");
  expect(img?.style.opacity).toBe("");
});
