import { renderBlock } from "#test/renderBlock.tsx";
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
