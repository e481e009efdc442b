import { alertSignature } from "#standins/paddle/classic.ts";
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signedFields } from "./classicSignature.ts";

const makeKeys = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
const keys = makeKeys();
const alert = {
  alert_id: "7",
  alert_name: "payment_succeeded",
  event_time: "2026-11-20 12:00:00",
  customer_name: "Lucía Ramos & Söhne",
  balance_fee: "",
};
/** An alert with this number of fields, and its signature. */
const many = (fields: number) => Object.fromEntries(Array.from({ length: fields - 1 }, (_, n) => [`field_${n}`, "x"]));
const bodyOf = (fields: Readonly<Record<string, string>>) => Buffer.from(new URLSearchParams(fields).toString());
const signed = (fields: Readonly<Record<string, string>> = alert) => ({ ...fields, p_signature: alertSignature(fields, keys.privateKey) });

describe("p_signature", () => {
  it("is valid for the signed fields, in any order and any alphabet", () => {
    expect(signedFields(bodyOf(signed()), keys.publicKey)).toEqual(alert);
    expect(signedFields(bodyOf(Object.fromEntries(Object.entries(signed()).toReversed())), keys.publicKey)).toEqual(alert);
  });

  it("is computed from PHP's serialisation of the sorted fields", () => {
    const { p_signature: _, ...rest } = signed({ b: "ü", a: "1" });
    expect(Object.keys(rest)).toEqual(["b", "a"]);
    expect(signedFields(bodyOf(signed({ b: "ü", a: "1" })), keys.publicKey)).toEqual({ a: "1", b: "ü" });
    expect(signedFields(bodyOf(signed(many(200))), keys.publicKey)).toEqual(many(200));
  });

  it.each([
    ["a changed value", { ...signed(), event_time: "2026-11-20 12:00:01" }],
    ["an added field", { ...signed(), passthrough: "x" }],
    ["a field that was taken out", { alert_id: "7", p_signature: signed().p_signature }],
    ["no signature", alert],
    ["a signature that is none", { ...alert, p_signature: "AAAA" }],
    ["a signature with more behind it", { ...alert, p_signature: `${signed().p_signature}\0` }],
    ["a signature with more before it", { ...alert, p_signature: `\0${signed().p_signature}` }],
    ["another vendor's key", { ...alert, p_signature: alertSignature(alert, makeKeys().privateKey) }],
    ["a name that would sort itself", { ...signed({ ...alert, 7: "x" }) }],
    ["a name that begins like a number", { ...signed({ ...alert, "7a": "x" }) }],
    ["a name that is no word to its end", { ...signed({ ...alert, "a-b": "x" }) }],
    ["more fields than any alert has", signed(many(201))],
    ["more text than any alert has", signed({ ...alert, passthrough: " ".repeat(33_000) })],
  ])("refuses %s", (_, fields) => {
    expect(signedFields(bodyOf(fields), keys.publicKey)).toBeNull();
  });

  it("refuses a repeated name, an empty body, and a body that is not a form", () => {
    const { p_signature } = signed();
    for (const again of ["alert_id=8", "alert_id=7", "p_signature=AAAA", new URLSearchParams({ p_signature }).toString()])
      expect(signedFields(Buffer.from(`${bodyOf(signed())}&${again}`), keys.publicKey)).toBeNull();
    for (const body of ["", "{}", "p_signature=AAAA", "&&&===", "\u0000".repeat(1_000)])
      expect(signedFields(Buffer.from(body), keys.publicKey)).toBeNull();
  });

  it("counts an empty field as a field", () => {
    const body = bodyOf(signed(many(200)));
    expect(signedFields(body, keys.publicKey)).toEqual(many(200));
    expect(signedFields(Buffer.from(`&${body}`), keys.publicKey)).toBeNull();
  });

  it("verifies nothing with an invalid key", () => {
    expect(signedFields(bodyOf(signed()), "no key")).toBeNull();
  });
});
