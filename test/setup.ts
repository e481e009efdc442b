/** Whatever a test logs as an error makes it fail: an unexpected one is a defect, an expected one is asserted with a spy. */
import { afterEach, beforeEach, expect, vi } from "vitest";

beforeEach(() => {
  vi.spyOn(console, "error");
});
afterEach(() => {
  expect(console.error, "console.error was called").not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
