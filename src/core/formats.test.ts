import { describe, expect, it } from "vitest";
import { formatsFor, majorUnits, minorUnitsOf, momentIn } from "./formats.ts";
import { type Locale, locales } from "./locales.ts";

const expected: Record<
  Locale,
  {
    number: string;
    thousand: string;
    percent: string;
    eur: string;
    mxn: string;
    brl: string;
    chf: string;
    usd: string;
    clp: string;
    long: string;
    monthAndYear: string;
    month: string;
    shortMonth: string;
    letters: string;
    short: string;
    day: string;
    list: string;
  }
> = {
  "en-US": {
    number: "1,234,567.5",
    thousand: "1,000",
    percent: "40%",
    eur: "€49.99",
    mxn: "$5,000",
    brl: "R$49.90",
    chf: "49.90",
    usd: "$49.90",
    clp: "$12,990",
    long: "November\u00a027, 2026",
    monthAndYear: "May 2027",
    month: "May",
    shortMonth: "May",
    letters: "MonTueWedThuFriSatSun",
    short: "Mon",
    day: "Sunday",
    list: "a, b and c",
  },
  "es-419": {
    number: "1,234,567.5",
    thousand: "1,000",
    percent: "40%",
    eur: "€49.99",
    mxn: "$5,000",
    brl: "R$49.90",
    chf: "49.90",
    usd: "$49.90",
    clp: "$12,990",
    long: "27\u00a0de\u00a0noviembre de 2026",
    monthAndYear: "mayo de 2027",
    month: "mayo",
    shortMonth: "may",
    letters: "lunmarmiéjueviesábdom",
    short: "lun",
    day: "domingo",
    list: "a, b y c",
  },
  "es-ES": {
    number: "1.234.567,5",
    thousand: "1000",
    percent: "40 %",
    eur: "49,99 €",
    mxn: "5000 $",
    brl: "49,90 R$",
    chf: "49,90",
    usd: "49,90 $",
    clp: "12.990 $",
    long: "27\u00a0de\u00a0noviembre de 2026",
    monthAndYear: "mayo de 2027",
    month: "mayo",
    shortMonth: "may",
    letters: "LMXJVSD",
    short: "lun",
    day: "domingo",
    list: "a, b y c",
  },
  "pt-BR": {
    number: "1.234.567,5",
    thousand: "1.000",
    percent: "40%",
    eur: "€ 49,99",
    mxn: "$ 5.000",
    brl: "R$ 49,90",
    chf: "49,90",
    usd: "$ 49,90",
    clp: "$ 12.990",
    long: "27\u00a0de\u00a0novembro de 2026",
    monthAndYear: "maio de 2027",
    month: "maio",
    shortMonth: "mai",
    letters: "segterquaquisexsábdom",
    short: "seg",
    day: "domingo",
    list: "a, b e c",
  },
  "it-IT": {
    number: "1.234.567,5",
    thousand: "1000",
    percent: "40%",
    eur: "49,99 €",
    mxn: "5000 $",
    brl: "49,90 R$",
    chf: "49,90",
    usd: "49,90 $",
    clp: "12.990 $",
    long: "27\u00a0novembre 2026",
    monthAndYear: "maggio 2027",
    month: "maggio",
    shortMonth: "mag",
    letters: "lunmarmergiovensabdom",
    short: "lun",
    day: "domenica",
    list: "a, b e c",
  },
  "de-DE": {
    number: "1.234.567,5",
    thousand: "1.000",
    percent: "40 %",
    eur: "49,99 €",
    mxn: "5.000 $",
    brl: "49,90 R$",
    chf: "49,90",
    usd: "49,90 $",
    clp: "12.990 $",
    long: "27.\u00a0November 2026",
    monthAndYear: "Mai 2027",
    month: "Mai",
    shortMonth: "Mai",
    letters: "MoDiMiDoFrSaSo",
    short: "Mo",
    day: "Sonntag",
    list: "a, b und c",
  },
};
const plainSpaces = (text: string) => text.replaceAll("\u00a0", " ");

describe("formats", () => {
  for (const locale of locales) {
    it(`write numbers, money and dates as ${locale} does`, () => {
      const formats = formatsFor(locale);
      expect({
        number: formats.number(1234567.5),
        thousand: formats.number(1000),
        percent: plainSpaces(formats.percent(0.4)),
        eur: plainSpaces(formats.money(4999, "EUR")),
        mxn: plainSpaces(formats.money(500_000, "MXN")),
        brl: plainSpaces(formats.money(4990, "BRL")),
        chf: formats.money(4990, "CHF"),
        usd: plainSpaces(formats.money(4990, "USD")),
        clp: plainSpaces(formats.money(12_990, "CLP")),
        long: formats.longDate("2026-11-27"),
        monthAndYear: formats.monthAndYear("2027-05-01"),
        month: formats.month("2027-05-31"),
        shortMonth: formats.shortMonth("2027-05-01"),
        letters: [0, 1, 2, 3, 4, 5, 6].map((day) => formats.weekday(day, "narrow")).join(""),
        short: formats.weekday(0, "short"),
        day: formats.weekday(6, "long"),
        list: formats.list(["a", "b", "c"]),
      }).toEqual(expected[locale]);
    });
    it(`write short dates as D/M/YYYY and months without a full stop in ${locale}`, () => {
      expect(formatsFor(locale).shortDate("2026-01-05")).toBe("5/1/2026");
      for (let month = 1; month <= 12; month++)
        expect(formatsFor(locale).shortMonth(`2026-${String(month).padStart(2, "0")}-15`)).not.toContain(".");
    });
  }
  it("write the first of a month as an ordinal in Portuguese, and only there", () => {
    const { longDate } = formatsFor("pt-BR");
    expect(["2026-12-01", "2026-12-11", "2026-12-21"].map((date) => plainSpaces(longDate(date)))).toEqual([
      "1º de dezembro de 2026",
      "11 de dezembro de 2026",
      "21 de dezembro de 2026",
    ]);
    expect(momentIn("pt-BR", "2026-12-01T12:00:00Z")).toBe("1º de dezembro de 2026 às 12:00:00 UTC");
    expect(plainSpaces(formatsFor("es-419").longDate("2026-12-01"))).toBe("1 de diciembre de 2026");
  });
  it("give whole amounts without decimals and others with those of their currency", () => {
    expect(formatsFor("es-419").money(10_000, "MXN")).toBe("$100");
    expect(formatsFor("es-419").money(10_050, "MXN")).toBe("$100.50");
    expect(["MXN", "COP", "CLP", "KWD"].map(minorUnitsOf)).toEqual([100, 100, 1, 1000]);
    expect(formatsFor("es-419").money(6_990_000, "COP")).toBe("$69,900");
    expect([majorUnits(74_750, "MXN"), majorUnits(35_970, "CLP")]).toEqual([747.5, 35_970]);
  });
  it("use the symbols R$ for BRL, € for EUR, none for CHF and $ for others", () => {
    const symbol = (currency: string) => formatsFor("en-US").money(100, currency).replace(/\d/g, "");
    expect(["BRL", "EUR", "CHF", "MXN", "ARS", "COP", "PEN", "USD"].map(symbol)).toEqual(["R$", "€", "", "$", "$", "$", "$", "$"]);
  });
});

it("a moment has its date, its time and the name of the time zone", () => {
  const at = "2026-11-23T10:41:07Z";
  expect([momentIn("de-DE", at, "Europe/Berlin"), momentIn("de-DE", Date.parse(at))]).toEqual([
    "23. November 2026 um 11:41:07 MEZ",
    "23. November 2026 um 10:41:07 UTC",
  ]);
});
