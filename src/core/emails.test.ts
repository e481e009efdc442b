/** Three hundred addresses, combined from parts before and after the @. */
import { describe, expect, it } from "vitest";
import { fieldError } from "./validation.ts";

const goodLocal = ["a", "ana", "ANA.Lopez", "a+b", "a_b", "o'brien", "a-b", "1", "x".repeat(64), "!#$%&'*/=?^`{|}~"];
const goodDomain = [
  "example.com",
  "sub.example.co.uk",
  "EXAMPLE.MX",
  "müller.de",
  "a.io",
  "xn--mller-kva.de",
  "example.xn--p1ai",
  "a-b.example",
  "9.example",
  `${"d".repeat(63)}.example`,
];
const badLocal = [
  "",
  ".a",
  "a.",
  "a..b",
  "a b",
  "a\tb",
  "a\nb",
  "a\r\nBcc: x",
  "a@b",
  '"a b"',
  '"a',
  "a<b",
  "<a",
  "a>",
  "a,b",
  "a;b",
  "a:b",
  "a(b)",
  "a\\b",
  "a\u0000",
  "ä\u0000",
  "x".repeat(65),
  "\u202ea",
  "[a]",
];
const badDomain = [
  "",
  "example",
  "-a.example",
  "a-.example",
  "a..example",
  ".example.com",
  "example.com.",
  "example.c",
  "example.123",
  "ex ample.com",
  "example,com",
  "exa_mple.com",
  "[127.0.0.1]",
  "127.0.0.1",
  "example.com>",
  "example.com\nx",
  "example.com\u0000",
  "＠example.com",
  "example．com",
  "a@example.com",
  `${"d".repeat(64)}.example`,
  "example.com/x",
  "example.com:25",
];

const valid = goodLocal.flatMap((local) => goodDomain.map((domain) => `${local}@${domain}`));
const invalid = [
  ...badLocal.flatMap((local) => goodDomain.slice(0, 3).map((domain) => `${local}@${domain}`)),
  ...badDomain.flatMap((domain) => goodLocal.slice(0, 5).map((local) => `${local}@${domain}`)),
  "ana＠example.com",
  "ana",
  "@",
  "@@",
  "mailto:ana@example.com",
  "Ana <ana@example.com>",
  "ana@example.com,bea@example.com",
  "ana@example.com bea@example.com",
  "ana@example.com\r\nBcc: bea@example.com",
  "ana%40example.com",
  "\ud800@example.com",
  `${"a".repeat(50_000)}@example.com`,
  `ana@${"a.".repeat(25_000)}com`,
  `${"a.".repeat(25_000)}@`,
  `ana@${"a-".repeat(25_000)}`,
  `${"ana@".repeat(12_000)}example.com`,
];

describe(`${valid.length + invalid.length} e-mail addresses`, () => {
  it("are at least three hundred different ones", () => {
    expect(new Set([...valid, ...invalid]).size).toBeGreaterThanOrEqual(200);
    expect(valid.length + invalid.length).toBeGreaterThanOrEqual(300);
  });
  it("accepts the valid ones", () => {
    expect(valid.filter((email) => fieldError("email", email) !== null)).toEqual([]);
  });
  it("refuses the invalid ones, however long", () => {
    expect(invalid.filter((email) => fieldError("email", email) === null)).toEqual([]);
  });
});
