import type { Locale } from "../../locales.ts";
import type { Context, Platform } from "../context.ts";
import { describe, expect, it } from "vitest";
import { audienceOf } from "./audience.ts";

const platforms: readonly Platform[] = ["android", "apple", "other"];
const named = new Set(["DE", "MX"]);
/** Every combination of platform, country and locale. Germany requires consent; CL stands for all countries that no rule names. */
const contexts = (locales: readonly Locale[] = ["es-419"], countries: readonly string[] = ["DE", "MX", "CL"]): readonly Context[] =>
  locales.flatMap((locale) =>
    platforms.flatMap((platform) =>
      countries.map((country) => ({ locale, platform, country, requiresMarketingConsent: country === "DE" }) as Context),
    ),
  );

const all = contexts();
const two = contexts(["es-419", "de-DE"]);
const affected = (keep: (context: Context) => boolean, from = all) => audienceOf(from.filter(keep), from, named);

describe("the visitors that a finding affects", () => {
  it("are not described when they are all or none", () => {
    expect(affected(() => true)).toBe("");
    expect(affected(() => false)).toBe("");
  });

  it("are described by their platform, or by the platforms without the finding when these are fewer", () => {
    expect(affected(({ platform }) => platform === "android")).toBe("on Android only");
    expect(affected(({ platform }) => platform === "other")).toBe("on other platforms only");
    expect(affected(({ platform }) => platform !== "apple")).toBe("not on Apple");
    const mobile = all.filter(({ platform }) => platform !== "other");
    expect(affected(({ platform }) => platform === "android", mobile)).toBe("on Android only");
  });

  it("are described by the countries that rules name", () => {
    expect(affected(({ country }) => country === "MX")).toBe("in MX only");
    expect(affected(({ country }) => country === "CL")).toBe("not in DE and MX, where no consent is required");
    expect(affected(({ country }) => country !== "DE")).toBe("not in DE, where no consent is required");
    expect(affected(({ country }) => country !== "MX")).toBe("not in MX");
    const four = contexts(["es-419"], ["DE", "MX", "AR", "PE"]);
    const ofFour = (keep: (context: Context) => boolean) => audienceOf(four.filter(keep), four, new Set(["DE", "MX", "AR", "PE"]));
    expect(ofFour(({ country }) => country !== "PE")).toBe("in DE, MX and AR only");
    expect(affected(({ locale, country }) => locale === "de-DE" && country !== "DE", two)).toContain("in de-DE only");
    const three = contexts(["es-419"], ["DE", "MX", "AR"]);
    expect(
      audienceOf(
        three.filter(({ country }) => country !== "AR"),
        three,
        new Set(["DE", "MX", "AR"]),
      ),
    ).toBe("in DE and MX only");
  });

  it("are not described by a country when only countries that no rule names lack the finding", () => {
    const more = contexts(["es-419"], ["DE", "CL", "PE"]);
    expect(
      audienceOf(
        more.filter(({ country }) => country !== "PE"),
        more,
        named,
      ),
    ).toBe("");
  });

  it("are described by their locale, and by several properties at once", () => {
    expect(affected(({ locale }) => locale === "de-DE", two)).toBe("in de-DE only");
    expect(affected(({ locale, platform }) => locale === "de-DE" && platform === "apple", two)).toBe("on Apple only, in de-DE only");
    expect(affected(({ country, platform }) => country === "MX" && platform !== "apple")).toBe("not on Apple, in MX only");
  });

  it("are described by consent where the country does not determine it", () => {
    const asked = all.map((context) => ({ ...context, requiresMarketingConsent: context.platform === "apple" }) as Context);
    const of = (keep: (context: Context) => boolean) => audienceOf(asked.filter(keep), asked, named);
    expect(of(({ requiresMarketingConsent }) => requiresMarketingConsent)).toBe("on Apple only, where consent is required");
    expect(of(({ requiresMarketingConsent }) => !requiresMarketingConsent)).toBe("not on Apple, where no consent is required");
    expect(affected(({ country }) => country === "DE")).toBe("in DE only");
    const either = contexts(["es-419"], ["DE", "MX"]).flatMap((context) =>
      [true, false].map((requiresMarketingConsent): Context => ({ ...context, requiresMarketingConsent })),
    );
    expect(affected(({ requiresMarketingConsent }) => requiresMarketingConsent, either)).toBe("where consent is required");
    expect(affected(({ platform }) => platform === "apple", either)).toBe("on Apple only");
  });

  it("are shown by an example when no list of properties covers them", () => {
    const crossed = ({ platform, country }: Context) => (platform === "apple") === (country === "MX");
    expect(affected(crossed)).toBe("for example in DE on Android");
    expect(affected(crossed, two)).toBe("for example in DE on Android in es-419");
    const apple = two.filter(({ platform }) => platform === "apple");
    const byLocale = ({ locale, country }: Context) => (locale === "de-DE") === (country === "MX");
    expect(affected(byLocale, apple)).toBe("for example in DE in es-419");
  });
});
