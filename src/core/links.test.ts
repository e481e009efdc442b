import { describe, expect, it } from "vitest";
import { allowedBackend, discountIn, targetIn } from "./links.ts";

const ours = "https://api.parlando.example/v1";
const second = "https://eu.parlando.example";
const here = "http://localhost:3000/api";
const list = [ours, second, here];

/** Forged back-end addresses, combined from parts. */
const hosts = ["api.parlando.example", "eu.parlando.example", "localhost:3000"];
const disguises = (host: string): readonly string[] => [
  `https://${host}.evil.example`,
  `https://${host}.evil.example/v1`,
  `https://evil.example/${host}`,
  `https://evil.example?${host}`,
  `https://evil.example#${host}`,
  `https://evil.example#@${host}`,
  `https://evil.example\\@${host}`,
  `https://${host}@evil.example`,
  `https://${host}:443@evil.example`,
  `https://user:password@${host}`,
  `https://user@${host}`,
  `https://evil-${host}`,
  `https://evil${host}`,
  `https://${host}evil`,
  `https://${host}..`,
  `https://${host}%2eevil.example`,
  `https://${host}%00.evil.example`,
  `https://${host}\u0000`,
  `https://${host}\t/`,
  `https://${host}\n`,
  ` https://${host}`,
  `https://${host} `,
  `\u00a0https://${host}`,
  `https:\\\\${host}`,
  `https:/${host}`,
  `https:///${host}`,
  `https:${host}`,
  `//${host}`,
  `/\\${host}`,
  host,
  `http://${host}:80`,
  `ftp://${host}`,
  `javascript://${host}/%0aalert(1)`,
  `data:text/html,${host}`,
  `blob:https://${host}/x`,
  `file://${host}/v1`,
  `ws://${host}`,
  `https://${host}:8443`,
  `https://${host}:`,
  `https://${host}:0443`,
  `https://${host}:99999`,
  `https://${host}:443:443`,
  `https://${host}?x=1`,
  `https://${host}#x`,
  `https://${host}/v1?token=`,
  `https://${host}/\\evil.example`,
  `https://${host}/<script>`,
  `https://${host}/\u202e`,
];
const others = [
  "",
  " ",
  "null",
  "undefined",
  "0",
  "https://",
  "http://",
  "https://.",
  "https://*",
  "*",
  "https://*.parlando.example",
  "https://parlando.example",
  "https://api.parlando",
  "https://api.parlando.example.",
  "https://\uff41pi.parlando.example",
  "https://api\u3002parlando.example",
  "https://api.parlan\u0501o.example",
  "https://xn--pi-7kc.parlando.example",
  "http://api.parlando.example",
  "http://eu.parlando.example/v1",
  "http://localhost:3001/api",
  "http://localhost",
  "https://localhost:3000/api",
  "http://127.0.0.1:3000/api",
  "http://[::1]:3000/api",
  "http://0x7f000001:3000",
  "http://2130706433:3000",
  `https://${"a".repeat(5_000)}.example`,
  `${ours}/${"a".repeat(300)}`,
];
const refused = [...hosts.flatMap(disguises), ...others];

describe("a backend-url in a link", () => {
  it("is accepted when it is on the list, and gets the list's spelling", () => {
    expect(allowedBackend(ours, list)).toBe(ours);
    expect(allowedBackend("https://API.parlando.example", list)).toBe(ours);
    expect(allowedBackend("https://api.parlando.example:443/other/path", list)).toBe(ours);
    expect(allowedBackend("HTTPS://eu.parlando.example/", list)).toBe(second);
    expect(allowedBackend(here, list)).toBe(here);
  });
  it("prefers the exact match among several entries of one origin", () => {
    expect(allowedBackend("https://a.example/2", ["https://a.example/1", "https://a.example/2"])).toBe("https://a.example/2");
  });
  it(`is refused in each of ${refused.length} forged spellings`, () => {
    expect(new Set(refused).size).toBeGreaterThanOrEqual(150);
    expect(refused.filter((value) => allowedBackend(value, list) !== null)).toEqual([]);
    expect([allowedBackend(null, list), allowedBackend(undefined, list), allowedBackend(ours, [])]).toEqual([null, null, null]);
  });
});

describe("a link's target", () => {
  const good = Array.from({ length: 99 }, (_, n) => String(n + 1));
  const frames: readonly ((n: string) => string)[] = [
    (n) => `0${n}`,
    (n) => `${n} `,
    (n) => ` ${n}`,
    (n) => `-${n}`,
    (n) => `+${n}`,
    (n) => `${n}.0`,
    (n) => `${n}e1`,
    (n) => `/${n}`,
    (n) => `${n}/`,
    (n) => `../${n}`,
    (n) => `${n}\n`,
    (n) => `${n}\u0000`,
    (n) => `0x${n}`,
    (n) => `${n}%00`,
    (n) => `https://evil.example/${n}`,
    (n) => `//${n}`,
    (n) => `javascript:${n}`,
    (n) => `${n}&a=1`,
    (n) => `${n}#`,
    (n) => `${n}?`,
    (n) => `<b>${n}`,
    (n) => `${n}${n}${n}`,
    (n) => `${n},3`,
    (n) => `[${n}]`,
  ];
  const bad = [
    "",
    "0",
    "00",
    "000",
    "100",
    "999",
    "1000",
    "a",
    "aa",
    "٣",
    "٤٢",
    "２",
    "Ⅷ",
    "²",
    "1²",
    "NaN",
    "Infinity",
    "null",
    "undefined",
    "true",
    "{}",
    "[]",
    "__proto__",
    "constructor",
    "\u202e2",
    ...["1", "2", "9", "10", "42", "58", "99", "7", "33", "81"].flatMap((n) => frames.map((frame) => frame(n))),
  ].filter((value) => !good.includes(value));
  it("is a question id with at most two digits", () => {
    for (const value of good) expect(targetIn(value)).toBe(Number(value));
  });
  it(`is refused in ${bad.length} other spellings`, () => {
    expect(new Set(bad).size).toBeGreaterThanOrEqual(250);
    expect(bad.filter((value) => targetIn(value) !== null)).toEqual([]);
    expect([targetIn(null), targetIn(undefined)]).toEqual([null, null]);
  });
});

describe("a link's discount", () => {
  it("is a coupon's code", () => {
    expect(["VUELVE-50", "a", "x".repeat(64)].map(discountIn)).toEqual(["VUELVE-50", "a", "x".repeat(64)]);
    expect(["", "x".repeat(65), "a b", "a&b", "<", "a/b", "ä", null, undefined].map(discountIn)).toEqual(
      Array.from({ length: 9 }, () => null),
    );
  });
});

describe("a back end's address", () => {
  it("uses its scheme's default port, and has at most 200 characters", () => {
    expect(allowedBackend("http://localhost:80/x", ["http://localhost"])).toBe("http://localhost");
    expect(allowedBackend("https://eu.parlando.example:443", list)).toBe(second);
    expect(allowedBackend("https://eu.parlando.example:80", list)).toBeNull();
    const path = (length: number) => second + "/".padEnd(length - second.length, "x");
    expect(allowedBackend(path(200), list)).toBe(second);
    expect(allowedBackend(path(201), list)).toBeNull();
  });
  it("does not match a list entry that is invalid in the same way", () => {
    expect(allowedBackend("nothing", ["neither", "http://eu.parlando.example"])).toBeNull();
    expect(allowedBackend("http://eu.parlando.example:80", ["http://eu.parlando.example"])).toBeNull();
  });
});
