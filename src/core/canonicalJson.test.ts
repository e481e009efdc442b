import { expect, it } from "vitest";
import { canonicalJson } from "./canonicalJson.ts";

// RFC 8785 §3.2.2 and §3.2.3.
it("writes the RFC's examples", () => {
  const value = {
    numbers: [JSON.parse("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
    literals: [null, true, false],
  };
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const names = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Smiley",
    "\u0080": "Control",
    "\u00f6": "o",
  };
  expect(canonicalJson(names)).toBe(
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"o","€":"Euro Sign","😀":"Smiley","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
});

it("sorts numeric names as strings", () => expect(canonicalJson({ 9: "a", 10: "b" })).toBe('{"10":"b","9":"a"}'));

it("ignores the order of fields and omits undefined ones", () => {
  expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: 2 })).toBe('{"a":2,"b":[{"d":1}]}');
});
