import { describe, expect, it } from "vitest";
import { isOldSystem } from "./oldSystem.ts";

const told = (platform: string, platformVersion: string) => ({
  getHighEntropyValues: () => Promise.resolve({ platform, platformVersion }),
});
const frozen = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36";

describe("an old system", () => {
  it.each([
    ["Mozilla/5.0 (Linux; Android 9; SM-G960F)", true],
    ["Mozilla/5.0 (Linux; Android 10; SM-A505FN)", true],
    ["Mozilla/5.0 (Linux; Android 11; Pixel 5)", false],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X)", true],
    ["Mozilla/5.0 (iPad; CPU OS 14_8 like Mac OS X)", true],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X)", false],
    ["Mozilla/5.0 (Windows NT 6.1; Win64; x64)", false],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", false],
    ["Mozilla/5.0 (X11; Linux x86_64)", false],
  ])("%s: %s (spec 000 §5)", async (userAgent, old) => {
    expect(await isOldSystem({ userAgent, maxTouchPoints: 0 })).toBe(old);
  });
  it("may be an iPad whose user agent says Macintosh: it has touch points, and Safari's version is the system's", async () => {
    const safari = (version: string) =>
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_6) AppleWebKit/605.1.15 Version/${version} Safari/605.1.15`;
    const at = (version: string, maxTouchPoints: number) => isOldSystem({ userAgent: safari(version), maxTouchPoints });
    expect([await at("14.1.2", 5), await at("15.0", 5), await at("14.1.2", 0)]).toEqual([true, false, false]);
    expect(await isOldSystem({ userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_6)", maxTouchPoints: 5 })).toBe(false);
  });
  it.each(["CriOS/142 Version/11.1.1 Safari/605.1.15", "Version/14.0 EdgiOS/142.0 Safari/605.1.15", "FxiOS/142.0 Safari/605.1.15"])(
    "is not known from the version that another browser on an iPad invents: %s",
    async (product) => {
      const userAgent = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ${product}`;
      expect(await isOldSystem({ userAgent, maxTouchPoints: 5 })).toBe(false);
      const safari =
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/14.1 Safari/605.1.15";
      expect(await isOldSystem({ userAgent: safari, maxTouchPoints: 5 })).toBe(true);
    },
  );
  it("whose browser says Android 10 of every Android is detected by client hints only", async () => {
    const at = (version: string) => isOldSystem({ userAgent: frozen, maxTouchPoints: 5, userAgentData: told("Android", version) });
    expect([await at("10.0.0"), await at("11.0.0"), await at("")]).toEqual([true, false, false]);
    expect(await isOldSystem({ userAgent: frozen, maxTouchPoints: 5 })).toBe(false);
    const refuses = { getHighEntropyValues: () => Promise.reject(new Error("no")) };
    expect(await isOldSystem({ userAgent: frozen, maxTouchPoints: 5, userAgentData: refuses })).toBe(false);
  });
});
