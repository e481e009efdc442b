import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { emailSchema, fieldError, firstnameSchema } from "./validation.ts";

describe("an e-mail address", () => {
  it.each([
    "ana@example.com",
    "ANA.Lopez@Example.COM",
    "a+b_c@sub.example.co.uk",
    " ana@example.com ",
    "ana@müller.de",
    "o'brien@example.ie",
    "ana@example.xn--p1ai",
    `${"a".repeat(64)}@example.com`,
  ])("%s is valid", (email) => {
    expect(fieldError("email", email)).toBeNull();
  });
  it.each([
    "ana",
    "ana@",
    "@example.com",
    "ana@example",
    "ana@@example.com",
    "ana@example.com@example.org",
    "ana lopez@example.com",
    ".ana@example.com",
    "ana.@example.com",
    "a..na@example.com",
    "ana@-example.com",
    "ana@example-.com",
    "ana@example..com",
    "ana@example.c",
    "ana@example.123",
    "ana@example.com.",
    "<ana@example.com>",
    "ana\u017f@example.com",
    "\u212aen@example.com",
    "ana@\uff45xample.com",
    "ana@example.\uff43om",
    "ana@mu\u0308ller.de",
  ])("%s is not", (email) => {
    expect(fieldError("email", email)).toBe("validator_invalid_email");
  });
  it("is required", () => {
    expect([fieldError("email", ""), fieldError("email", "  ")]).toEqual(["validator_required", "validator_required"]);
  });
  it("has at most 254 characters, and 64 before the @", () => {
    expect(fieldError("email", `${"a".repeat(65)}@example.com`)).toBe("validator_invalid_email");
    const domain = `${"d".repeat(62)}.${"d".repeat(62)}.${"d".repeat(62)}.com`;
    expect(fieldError("email", `${"a".repeat(254 - domain.length - 1)}@${domain}`)).toBeNull();
    expect(fieldError("email", `${"a".repeat(254 - domain.length)}@${domain}`)).toBe("validator_invalid_email");
  });
  it("is trimmed", () => {
    expect(v.parse(emailSchema, " ana@example.com ")).toBe("ana@example.com");
  });
  it("is refused quickly, whatever its form", () => {
    for (const hostile of [`${"a.".repeat(120)}@`, `a@${"a-".repeat(120)}`, `a@${"a.".repeat(120)}1`])
      expect(fieldError("email", hostile)).toBe("validator_invalid_email");
  });
});

describe("a password", () => {
  it("is required, has at least 8 characters, at most 128, and is not all spaces", () => {
    expect(
      ["", "1234567", "12345678", "        ", "x".repeat(128), "x".repeat(129), " pass word "].map((password) =>
        fieldError("password", password),
      ),
    ).toEqual(["validator_required", "validator_at_least_8", null, "validator_password_format", null, "validator_too_long", null]);
  });
});

describe("a first name", () => {
  it("is required and has at most 50 characters", () => {
    expect(["", "  ", "Ana", "x".repeat(50), "x".repeat(51)].map((name) => fieldError("firstname", name))).toEqual([
      "validator_required",
      "validator_required",
      null,
      null,
      "validator_too_long",
    ]);
    expect(v.parse(firstnameSchema, " Ana ")).toBe("Ana");
    expect(["\tAna\u0000\tMaría\n", "x\ud800"].map((name) => v.parse(firstnameSchema, name))).toEqual(["Ana María", "x"]);
    expect(fieldError("firstname", "\t\u0000")).toBe("validator_required");
  });
});
