import { blockMarkup, readText } from "#test/blockMarkup.tsx";
import { expect, it } from "vitest";

// Today is a Friday; the days are Monday, Tuesday, Thursday and Saturday.
it("shows pace, days, minutes and both dates", () => {
  const text = readText(blockMarkup({ type: "scheduleSummary" }));
  expect(text).toBe(
    "Ritmo A buen paso, 6 meses Días lunes, martes, jueves y sábado Por sesión 20 minutos Inicio 21 de noviembre de 2026 Fin 19 de mayo de 2027",
  );
});

it("shows the number of days before they are chosen, and an end that is counted from today", () => {
  const text = readText(blockMarkup({ type: "scheduleSummary" }, { state: { days: [], schedule: 3, programEndDate: undefined } }));
  expect(text).toContain("Días 5 días por semana");
  expect(text).toContain("Fin 19 de febrero de 2027");
});

it("shows nothing without a schedule", () => {
  expect(readText(blockMarkup({ type: "scheduleSummary" }, { state: { schedule: undefined } }))).toBe("");
});

it("breaks no Portuguese weekday across lines", () => {
  expect(blockMarkup({ type: "scheduleSummary" }, { locale: "pt-BR" })).toContain('<span class="nw">terça-feira</span>');
});
