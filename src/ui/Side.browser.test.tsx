import { resize } from "#test/screen.ts";
import { act, useState } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test } from "vitest";
import { Side, SideSlot } from "./Side.tsx";

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

function Page({ offers }: { readonly offers: boolean }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return (
    <SideSlot value={slot}>
      <main>
        <Side>Hoy pagas</Side>
      </main>
      {offers && <aside ref={setSlot} />}
    </SideSlot>
  );
}

async function shown(offers: boolean, width: number) {
  await resize(width, 800);
  const element = document.body.appendChild(document.createElement("div"));
  const root = createRoot(element);
  await act(() => root.render(<Page offers={offers} />));
  onTestFinished(async () => {
    await act(() => root.unmount());
    element.remove();
    await resize(390, 844);
  });
  return { main: element.querySelector("main")?.textContent, aside: element.querySelector("aside")?.textContent };
}

test("it moves to the side card on a wide page with a slot", async () => {
  expect(await shown(true, 992)).toEqual({ main: "", aside: "Hoy pagas" });
});

test("it stays in place on a phone, and on a page without a side", async () => {
  expect(await shown(true, 991)).toEqual({ main: "Hoy pagas", aside: "" });
  expect(await shown(false, 1280)).toEqual({ main: "Hoy pagas", aside: undefined });
});
