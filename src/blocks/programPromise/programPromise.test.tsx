import { examplePlan, exampleState } from "#blocks/exampleSite.ts";
import { blockMarkup, readText } from "#test/blockMarkup.tsx";
import { describe, expect, it } from "vitest";

const unchosen = { schedule: undefined, studySchedule: undefined, programEndDate: undefined, days: [] };

describe("the promise", () => {
  it("is a sentence for screen readers", () => {
    expect(readText(blockMarkup({ type: "programPromise" }))).toContain(
      "En noviembre de 2026 empiezas en el nivel básico y en mayo de 2027 terminas la etapa 1 de 5. Tu meta: nivel intermedio. Qué tan rápido llegas depende de cuánto practiques.",
    );
    expect(readText(blockMarkup({ type: "programPromise" }, { locale: "de-DE" }))).toContain(
      "Heute (November 2026): Grundkenntnisse. Im Mai 2027 endet Etappe 1 von 5. Dein Ziel: Mittelstufe.",
    );
  });

  it("has texts for a target above the highest level", () => {
    const plan = examplePlan(exampleState, { initial: "upperintermediate", target: "upperintermediate" });
    const text = readText(blockMarkup({ type: "programPromise" }, { site: { plan } }));
    expect(text).toContain(
      "En noviembre de 2026 empiezas en el nivel intermedio alto y en mayo de 2027 terminas la etapa 1 de 5. Qué tan rápido",
    );
    expect(blockMarkup({ type: "programPromise" }, { site: { plan } })).toContain(">tu meta<");
  });

  it("shows neither band nor its legend without the range", () => {
    const text = readText(blockMarkup({ type: "programPromise", programPromiseOptions: { range: false } }));
    expect(text).not.toContain("cuánto practiques");
    expect(text).toContain("Tu camino");
  });

  it("counts thirteen weeks and three breaks per quarter (spec 001 §9)", () => {
    expect(readText(blockMarkup({ type: "programPromise" }))).toContain(
      "semanas, con 6 de descanso 26 días por semana 4 minutos por sesión 20",
    );
  });

  it("divides a week's minutes among its activities", () => {
    expect(readText(blockMarkup({ type: "programPromise" }))).toContain(
      "Tu semana: 80 minutos Práctica en la app 32 min Clases en vivo 16 min Ejercicios interactivos 16 min Clases grabadas 16 min",
    );
  });

  it("shows no end and no figures before a schedule is chosen; the axis has nine months or the content's length", () => {
    const before = (months?: number) => blockMarkup({ type: "programPromise", programPromiseOptions: { months } }, { state: unchosen });
    expect(readText(before())).toContain(
      "Hoy estás en el nivel básico. Cuándo termines la etapa 1 de 5 depende de tu ritmo. Tu meta: nivel intermedio.",
    );
    expect(readText(before())).not.toMatch(/por semana|de 2027/);
    const last = (markup: string) => /left:100%">(\w+)</.exec(markup)?.[1];
    expect([
      last(before()),
      last(before(12)),
      last(blockMarkup({ type: "programPromise", programPromiseOptions: { months: 12 } })),
    ]).toEqual(["ago", "nov", "may"]);
  });

  it("renders the axis but no personal data before hydration", () => {
    const waiting = blockMarkup({ type: "programPromise" }, { state: unchosen, site: { live: false } });
    expect(waiting).not.toContain("<path");
    expect(waiting).toContain("nov");
    expect(blockMarkup({ type: "programPromise" })).toContain("<path");
  });
});
