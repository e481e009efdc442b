import { describe, expect, it, vi } from "vitest";
import { lookUp } from "./lookup.ts";

const tables = { "en-US": { hello: "Hello", bye: "Bye" }, "es-419": { hello: "Hola", bye: "Chao" } };

describe("lookUp", () => {
  it("gives the locale's own text without a warning", () => {
    const warn = vi.fn();
    expect(lookUp(tables, "es-419", "hello", warn)).toBe("Hola");
    expect(warn).not.toHaveBeenCalled();
  });

  it("falls back along the locale's order and warns", () => {
    const warn = vi.fn();
    expect(lookUp(tables, "it-IT", "hello", warn)).toBe("Hola");
    expect(warn).toHaveBeenCalledWith('Missing text "hello" in it-IT, taken from es-419');
  });

  it("shows the key and warns when no locale has it, even though en-US and es-419 fall back on each other", () => {
    const warn = vi.fn();
    expect(lookUp<string>(tables, "en-US", "ciao", warn)).toBe("ciao");
    expect(warn).toHaveBeenCalledWith('Missing text "ciao" in en-US');
  });
});
