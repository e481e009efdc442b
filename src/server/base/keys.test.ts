import { expect, it } from "vitest";
import { derivedToken, keysFor, networkNames } from "./keys.ts";

it("a network's name is stable, differs by network and by secret, and has a key of its own", () => {
  const nameOf = networkNames(["first", "second"]);
  const name = nameOf("203.0.113.7");
  expect(name).toMatch(/^[\w-]{12}$/);
  expect(nameOf("203.0.113.7")).toBe(name);
  expect(new Set([name, nameOf("203.0.113.8"), networkNames(["second"])("203.0.113.7")]).size).toBe(3);
  const [key = Buffer.alloc(0)] = keysFor("network", ["first"]);
  expect(name).toBe(derivedToken(key, "203.0.113.7").slice(0, 12));
  expect(() => networkNames([])).toThrow("No secret key is configured: networks cannot be named");
});
