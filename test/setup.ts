/** Fails a test that logs an error: an unexpected one is a defect, and an expected one needs a spy. */
import { afterEach, beforeEach, expect, vi } from "vitest";

beforeEach(() => {
  vi.spyOn(console, "error");
});
afterEach(() => {
  expect(console.error, "console.error was called").not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
