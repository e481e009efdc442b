import { renderBlock } from "#test/renderBlock.tsx";
import { translate } from "#test/translated.ts";
import { act } from "react";
import { expect, test, vi } from "vitest";

test("sends the mail once, shows the address, and offers it again only after a failure", async () => {
  const mailPlan = vi.fn(async (_question: number) => false);
  const block = await renderBlock({ type: "planByMail", question: 80 }, { site: { mailPlan } });
  const press = () => act(async () => block.one("button").click());
  expect(mailPlan).not.toHaveBeenCalled();
  await press();
  expect(block.one("[role=status]").textContent).toContain("block.planByMail.failed");
  mailPlan.mockResolvedValue(true);
  await press();
  expect(mailPlan.mock.calls).toEqual([[80], [80]]);
  expect(block.one("[role=status]").textContent).toContain("block.planByMail.sent");
  expect(block.all("button")).toHaveLength(0);
});

test("tells of a second try on a page that the browser has translated", async () => {
  const mailPlan = vi.fn(async (_question: number) => false);
  const block = await renderBlock({ type: "planByMail", question: 80 }, { site: { mailPlan } });
  const press = () => act(async () => block.one("button").click());
  await press();
  translate(block.element);
  mailPlan.mockResolvedValue(true);
  await press();
  expect(block.one("[role=status]").textContent).toMatch(/^block\.planByMail\.sent /);
});
