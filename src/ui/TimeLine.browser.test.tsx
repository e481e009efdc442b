import { stage } from "#test/stage.ts";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test } from "vitest";
import { TimeLine } from "./TimeLine.tsx";

test("a word or amount that is kept on one line stands within its sentence", async () => {
  const element = stage("pt-BR");
  const root = createRoot(element);
  onTestFinished(() => act(() => root.unmount()));
  const what = "Cobramos R$ 179,70, se você não tiver cancelado.";
  await act(() => root.render(<TimeLine label="Datas" points={[{ when: "Hoje", what }]} />));
  const amount = element.querySelector(".nw");
  expect(amount?.textContent).toContain("179,70");
  expect(amount && getComputedStyle(amount).display).toBe("inline");
});
