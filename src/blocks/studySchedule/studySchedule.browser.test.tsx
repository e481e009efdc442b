import { renderBlock } from "#test/renderBlock.tsx";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";

const unchosen = { schedule: undefined, studySchedule: undefined };

test("none is preselected, and it fails until one is chosen", async () => {
  const block = await renderBlock({ type: "studySchedule" }, { state: unchosen });
  expect(block.all("[aria-checked=true]")).toEqual([]);
  expect(block.status()).toBe("fail");
  expect((await renderBlock({ type: "studySchedule" })).status()).toBe("pass");
});

test("arrow keys move the focus without choosing, Space chooses", async () => {
  const chooseSchedule = vi.fn();
  const block = await renderBlock({ type: "studySchedule" }, { state: unchosen, site: { chooseSchedule } });
  const radios = block.all("[role=radio]");
  await userEvent.keyboard("{Tab}");
  expect(document.activeElement).toBe(radios[0]);
  await userEvent.keyboard("{ArrowUp}");
  expect(document.activeElement).toBe(radios[2]);
  expect(chooseSchedule).not.toHaveBeenCalled();
  await userEvent.keyboard(" ");
  expect(chooseSchedule).toHaveBeenCalledExactlyOnceWith(3);
});

test("each card shows its figures; compact cards have no picture", async () => {
  const block = await renderBlock({ type: "studySchedule" });
  expect(block.one("[aria-checked=true]").textContent).toBe("A buen paso6 meses4 días por semana · 20 minutos por sesión");
  expect(block.all("img")).toHaveLength(3);
  expect((await renderBlock({ type: "studySchedule", studyScheduleOptions: { mini: true } })).all("img")).toEqual([]);
});
