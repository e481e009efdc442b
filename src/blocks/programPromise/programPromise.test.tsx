import { blockMarkup, readText } from "#test/blockMarkup.tsx";
import { describe, expect, it } from "vitest";

const unchosen = { schedule: undefined, studySchedule: undefined, programEndDate: undefined, days: [] };

describe("the promise", () => {
  it("is a sentence for whoever cannot see the chart", () => {
    expect(readText(blockMarkup({ type: "programPromise" }))).toContain(
      "De básico en noviembre de 2026 a intermedio en mayo de 2027. Qué tan rápido llegas depende de cuánto practiques.",
    );
    expect(readText(blockMarkup({ type: "programPromise" }, { locale: "de-DE" }))).toContain(
      "Heute, im November 2026: Grundkenntnisse. Im Mai 2027: Mittelstufe.",
    );
  });

  it("has words for what lies beyond a level that is reached", () => {
    const level = { initial: "upperintermediate", target: "upperintermediate" } as const;
    expect(readText(blockMarkup({ type: "programPromise" }, { site: { level } }))).toContain(
      "De intermedio alto en noviembre de 2026 a tu meta en mayo de 2027.",
    );
  });

  it("has neither band nor its words without the range", () => {
    const text = readText(blockMarkup({ type: "programPromise", programPromiseOptions: { range: false } }));
    expect(text).not.toContain("cuánto practiques");
    expect(text).toContain("Tu camino");
  });

  it("counts weeks and breaks by the quarter, thirteen and three (spec 001 §9)", () => {
    expect(readText(blockMarkup({ type: "programPromise" }))).toContain(
      "semanas, con 6 de descanso 26 días por semana 4 minutos por sesión 20",
    );
  });

  it("adds a week up from its activities", () => {
    expect(readText(blockMarkup({ type: "programPromise" }))).toContain(
      "Tu semana: 80 minutos Práctica en la app 28 min Lecciones 24 min Ejercicios interactivos 16 min Lecciones grabadas 12 min",
    );
  });

  it("lasts nine months before a schedule is chosen, or as long as its content says, and then has no figures of a schedule", () => {
    const site = { weeklyMinutes: null };
    const before = readText(blockMarkup({ type: "programPromise" }, { state: unchosen, site }));
    expect(before).toContain("intermedio en agosto de 2027");
    expect(before).not.toContain("por semana");
    expect(readText(blockMarkup({ type: "programPromise", programPromiseOptions: { months: 12 } }, { state: unchosen, site }))).toContain(
      "intermedio en noviembre de 2027",
    );
  });

  it("draws the axis and nothing of the visitor’s until the device has told", () => {
    const waiting = blockMarkup({ type: "programPromise" }, { site: { live: false, level: { initial: null, target: null } } });
    expect(waiting).not.toContain("<path");
    expect(waiting).toContain("nov");
    expect(blockMarkup({ type: "programPromise" })).toContain("<path");
  });
});
