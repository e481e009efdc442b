import { nameOf, renderBlock } from "#test/renderBlock.tsx";
import { translate } from "#test/translated.ts";
import { act } from "react";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { nudgeDuration } from "./view.tsx";

const four = { type: "daySelection", daySelectionOptions: { days: 4 } } as const;

test("days are added and removed, in the order of the week", async () => {
  const chooseDays = vi.fn();
  const block = await renderBlock(four, { state: { days: [1, 5] }, site: { chooseDays } });
  await block.click(block.button("miércoles"));
  expect(chooseDays).toHaveBeenLastCalledWith([1, 2, 5]);
  await block.click(block.button("sábado"));
  expect(chooseDays).toHaveBeenLastCalledWith([1]);
  expect(block.all("[aria-pressed=true]").map(nameOf)).toEqual(["martes", "sábado"]);
});

test("it fails until enough days are chosen, and shows their number", async () => {
  const block = await renderBlock(four, { state: { days: [1, 5] } });
  expect(block.status()).toBe("fail");
  expect(block.element.textContent).toContain("block.daySelection.count 2 4");
  expect((await renderBlock(four, { state: { days: [0, 1, 3, 5] } })).status()).toBe("pass");
});

test("a tap on one day too many is ignored, shakes the week for 500 ms and shows an explanation (spec 001 §4)", async () => {
  expect(nudgeDuration).toBe(500);
  const chooseDays = vi.fn();
  const block = await renderBlock(four, { state: { days: [0, 1, 3, 5] }, site: { chooseDays } });
  const said = () => block.one("[role=status]").textContent;
  await block.click(block.button("domingo"));
  expect(chooseDays).not.toHaveBeenCalled();
  expect(said()).toContain("block.daySelection.limit");
  await block.advance(nudgeDuration - 5);
  expect(said()).toContain("block.daySelection.limit");
  await block.advance(5);
  expect(said()).toContain("block.daySelection.limit");
  await block.click(block.button("lunes"));
  expect(said()).toContain("block.daySelection.done");
});

test("a second tap shakes the week again", async () => {
  const block = await renderBlock(four, { state: { days: [0, 1, 3, 5] } });
  await block.click(block.button("domingo"));
  await block.advance(300);
  await block.click(block.button("viernes"));
  await block.advance(nudgeDuration - 5);
  expect(block.one("[role=status]").textContent).toContain("block.daySelection.limit");
  await block.advance(5);
  expect(block.one("[role=status]").textContent).toContain("block.daySelection.limit");
});

test("arrow keys move along the week without choosing, and shaking keeps the focus", async () => {
  const chooseDays = vi.fn();
  const block = await renderBlock(four, { state: { days: [0, 1, 3, 5] }, site: { chooseDays } });
  block.button("sábado").focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(block.button("domingo"));
  await act(() => userEvent.keyboard(" "));
  expect(document.activeElement).toBe(block.button("domingo"));
  await userEvent.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(block.button("lunes"));
  expect(chooseDays).not.toHaveBeenCalled();
});

test("the schedule's number of days is required, five without a schedule (spec 001 §9)", async () => {
  const content = { type: "daySelection", daySelectionOptions: { days: "schedule" } } as const;
  expect((await renderBlock(content, { state: { days: [0, 1, 3] } })).element.textContent).toContain("count 3 4");
  expect((await renderBlock(content, { state: { days: [0, 1, 3], studySchedule: undefined } })).element.textContent).toContain("count 3 5");
});

test("it fails until the last required day is chosen", async () => {
  const status = async (days: readonly number[]) => (await renderBlock({ type: "daySelection" }, { state: { days: [...days] } })).status();
  expect(await status([0, 1, 2, 3])).toBe("fail");
  expect(await status([0, 1, 2, 3, 4])).toBe("pass");
});

test("its text can show how many days are chosen, required and left", async () => {
  const text = [["arg", "CHOSEN"], "/", ["arg", "REQUIRED"], "/", ["arg", "LEFT"]] as const;
  const block = await renderBlock(
    { type: "daySelection", daySelectionOptions: { days: 4, textInProgress: text, textDone: "Listo" } },
    { state: { days: [2] } },
  );
  expect(block.one("[role=status]").textContent).toBe("1/4/3");
});

test("days are chosen on a page that the browser has translated", async () => {
  const block = await renderBlock(four, { state: { days: [1, 3] } });
  translate(block.element);
  await block.rerender({}, { days: [0, 1, 3, 5] });
  expect(block.element.textContent).toContain("block.daySelection.count 4 4");
  expect(block.element.textContent).toContain("block.daySelection.done");
  await block.rerender({}, { days: [0, 1, 3] });
  expect(block.element.textContent).toContain("block.daySelection.count 3 4");
});
