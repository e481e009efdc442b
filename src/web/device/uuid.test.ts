import { expect, it, vi } from "vitest";
import { randomUuid } from "./uuid.ts";

it("makes random UUIDs of version 4, also where the browser has no function for it", () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const made = Array.from({ length: 200 }, randomUuid);
  vi.unstubAllGlobals();
  for (const uuid of made) expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(made).size).toBe(made.length);
  // All other bits are random.
  expect(new Set(made.map((uuid) => uuid[19])).size).toBe(4);
});
