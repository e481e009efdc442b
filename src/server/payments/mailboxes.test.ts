import { describe, expect, it } from "vitest";
import { floodableMailboxOf, mailboxOf } from "./mailboxes.ts";

describe("one mailbox", () => {
  it.each([
    ["lucia.ramos@gmail.com", "LuciaRamos+news@GoogleMail.com"],
    ["ana@icloud.com", "ana+1@me.com"],
    ["ana.b-c_d@proton.me", "anabcd@protonmail.com", "anabcd@pm.me"],
    ["ana@hotmail.com.br", "ana+x@hotmail.com.br"],
    ["ana@outlook.es", "ANA+x+y@outlook.es "],
    ["ana@fastmail.com", "ana+x@fastmail.com"],
    ["ana@m\u00fcller.de", "ana@xn--mller-kva.de"],
  ])("has the addresses %s, however they are spelled", (first, ...others) => {
    for (const other of others) expect(mailboxOf(other)).toBe(mailboxOf(first));
  });

  it.each([
    ["a.na@outlook.com", "ana@outlook.com"],
    ["ana@outlook.com", "ana@hotmail.com"],
    ["ana+1@company.mx", "ana+2@company.mx"],
    ["a.na@company.mx", "ana@company.mx"],
    ["ana@gmail.com.mx", "a.na@gmail.com.mx"],
    ["+ana@gmail.com", "+eva@gmail.com"],
    ["ana@notgmail.com", "a.na@notgmail.com"],
    ["undefined.ana@me.com", ".ana@me.com"],
  ])("does not have both %s and %s", (one, other) => {
    expect(mailboxOf(one)).not.toBe(mailboxOf(other));
  });
});

it.each([
  ["ana@company.mx", "ana+1@company.mx", "ana+2+3@COMPANY.mx"],
  ["ana@m\u00fcller.de", "ana+1@xn--mller-kva.de"],
  ["ana@gmail.com", "a.n.a+1@googlemail.com"],
])("a limit on mails holds for the addresses %s at any domain", (first, ...others) => {
  for (const other of others) expect(floodableMailboxOf(other)).toBe(floodableMailboxOf(first));
});

it.each([
  ["a.na@company.mx", "ana@company.mx"],
  ["+ana@company.mx", "+eva@company.mx"],
  ["ana@company.mx", "ana@other.mx"],
])("a limit on mails to %s is not that of %s", (one, other) => {
  expect(floodableMailboxOf(one)).not.toBe(floodableMailboxOf(other));
});
