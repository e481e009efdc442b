import { expect, it } from "vitest";
import { orderNumber } from "./orderNumber.ts";

it("an order's number is the first eight characters of its id, in capitals", () => {
  expect(orderNumber("019a9d3c-77c1-7a55-b1d4-7f3e2c9a8b10")).toBe("019A9D3C");
});
