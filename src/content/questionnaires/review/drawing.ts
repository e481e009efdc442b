/** A questionnaire's graph as Mermaid and as SVG. */
import { escapeHtml } from "#core/escapeHtml.ts";
import type { Question, Questionnaire } from "#core/questionnaire/definition.ts";
import { headingOf, rulesInWords, wordsOf } from "./words.ts";

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly kind: "option" | "rule";
}

/** Edges between questions with their conditions. Options with the same target share an edge. */
export function edgesOf(definition: Questionnaire): readonly Edge[] {
  const lastLevel = definition.questions.filter((question) => question.type === "LevelQuestion").at(-1)?.id;
  return definition.questions.flatMap((question): readonly Edge[] => {
    const edge = (to: number | undefined, label: string, kind: Edge["kind"]): readonly Edge[] =>
      to === undefined ? [] : [{ from: question.id, to, label, kind }];
    if (question.id === lastLevel) return edge(definition.lastLevelQuestionFollowUpQuestion, "", "rule");
    const targets = new Map<number, string[]>();
    for (const option of question.options) {
      if (option.followUpQuestion === undefined || option.type === "ToHomePage" || option.type === "ToPrevious") continue;
      targets.set(option.followUpQuestion, [...(targets.get(option.followUpQuestion) ?? []), wordsOf(option.description)]);
    }
    const schedules = question.contents.some((item) => item.type === "studySchedule") ? definition.schedules : [];
    return [
      ...(question.followUps ?? []).flatMap((followUp) => edge(followUp.followUpQuestion, rulesInWords(followUp.requirements), "rule")),
      ...schedules.flatMap((schedule) => edge(schedule.followUpQuestion, wordsOf(schedule.name), "rule")),
      ...(question.type === "LevelQuestion"
        ? [...Map.groupBy(definition.levelQuestionRules, (rule) => rule.followUpQuestion)].flatMap(([to, rules]) =>
            edge(to, rules.map(({ no, maybe }) => `${no} No${maybe > 0 ? ` and ${maybe} Maybe` : ""}`).join(", or "), "rule"),
          )
        : []),
      ...[...targets].flatMap(([to, labels]) => edge(to, targets.size > 1 ? labels.join(" / ") : "", "option")),
    ];
  });
}

export function mermaidOf(definition: Questionnaire): string {
  const quoted = (text: string) => `"${clipped(text, 60).replaceAll('"', "#quot;")}"`;
  return [
    "flowchart TD",
    ...definition.questions.map(
      (question) =>
        `  q${question.id}[${quoted(`${question.id}: ${headingOf(question)}`)}]${question.type === undefined ? "" : `:::${question.type}`}`,
    ),
    ...edgesOf(definition).map(
      ({ from, to, label, kind }) => `  q${from} ${kind === "rule" ? "-.->" : "-->"}${label === "" ? "" : `|${quoted(label)}|`} q${to}`,
    ),
    ...Object.entries(colours).map(([type, colour]) => `  classDef ${type} fill:${colour}`),
    "",
  ].join("\n");
}

const colours: Readonly<Record<string, string>> = {
  LevelQuestion: "#dbeafe",
  SignupView: "#dcfce7",
  InitialLevelView: "#fef3c7",
  TargetLevelView: "#fef3c7",
  PreparingProgram: "#fae8ff",
  ThankYouView: "#fae8ff",
};
const box = { width: 210, height: 58, across: 250, down: 104, margin: 60 };

/** Layered by the longest path from the start over links to higher ids. Links back are red and dashed. */
export function svgOf(definition: Questionnaire): string {
  const edges = edgesOf(definition);
  const places = placesOf(definition, edges);
  const width = Math.max(...[...places.values()].map(({ x }) => x)) + box.width + box.margin;
  const height = Math.max(...[...places.values()].map(({ y }) => y)) + box.height + box.margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>Questionnaire ${definition.id}</title>`,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="context-stroke"/></marker></defs>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...edges.map((edge) => arrow(edge, places)),
    ...definition.questions.map((question) => node(question, places)),
    "</svg>",
    "",
  ].join("\n");
}

type Places = ReadonlyMap<number, { readonly x: number; readonly y: number }>;

function placesOf({ questions }: Questionnaire, edges: readonly Edge[]): Places {
  const layerOf = new Map(questions.map((question) => [question.id, 0]));
  for (const { id } of questions.toSorted((a, b) => a.id - b.id))
    for (const { to } of edges.filter(({ from, to }) => from === id && to > id))
      layerOf.set(to, Math.max(layerOf.get(to) ?? 0, (layerOf.get(id) ?? 0) + 1));
  const layers: number[][] = [];
  for (const [id, layer] of layerOf) (layers[layer] ??= []).push(id);
  const widest = Math.max(...layers.map((layer) => layer.length));
  const x = new Map<number, number>();
  for (const layer of layers) {
    // Each box is placed as closely as possible below the center of its predecessors.
    const preferredX = (id: number) => {
      const from = edges.filter((edge) => edge.to === id && x.has(edge.from)).map((edge) => x.get(edge.from) ?? 0);
      return from.length === 0 ? widest / 2 : from.reduce((sum, each) => sum + each, 0) / from.length;
    };
    layer.toSorted((a, b) => preferredX(a) - preferredX(b)).forEach((id, index) => x.set(id, index + (widest - layer.length) / 2));
  }
  return new Map(
    [...layerOf].map(([id, layer]) => [id, { x: box.margin + (x.get(id) ?? 0) * box.across, y: box.margin + layer * box.down }]),
  );
}

function arrow({ from, to, label, kind }: Edge, places: Places): string {
  const a = places.get(from);
  const b = places.get(to);
  if (a === undefined || b === undefined) return "";
  const back = b.y <= a.y;
  const start = { x: a.x + box.width / 2, y: a.y + box.height };
  const end = { x: b.x + box.width / 2, y: b.y };
  const far = b.y - a.y > box.down * 1.5;
  const middle = (start.y + end.y) / 2;
  // A long link curves around the boxes beside it, on the side of its target. The curve reaches three quarters of the way to its control points.
  const beside = [...places.values()].filter(({ y }) => y >= Math.min(a.y, b.y) && y <= Math.max(a.y, b.y)).map(({ x }) => x);
  const right = b.x > a.x;
  const edge = right ? Math.max(a.x, b.x) + box.width : Math.min(a.x, b.x);
  const handle = right ? edge + (Math.max(...beside) + box.width + 20 - edge) / 0.75 : edge - (edge - Math.min(...beside) + 20) / 0.75;
  const bows = far || back;
  const side = right ? box.width : 0;
  const path = bows
    ? `M${a.x + side} ${a.y + box.height / 2}C${handle} ${a.y + box.height / 2} ${handle} ${b.y + box.height / 2} ${b.x + side} ${b.y + box.height / 2}`
    : `M${start.x} ${start.y}C${start.x} ${middle} ${end.x} ${middle} ${end.x} ${end.y}`;
  const colour = back ? "#dc2626" : kind === "rule" ? "#7c3aed" : "#64748b";
  const at = bows ? { x: edge + (handle - edge) * 0.75 + (right ? -4 : 4), y: (a.y + b.y + box.height) / 2 } : { x: end.x, y: end.y - 12 };
  const words =
    label === ""
      ? ""
      : `<text x="${at.x}" y="${at.y}" text-anchor="${!bows ? "middle" : right ? "end" : "start"}" fill="${colour}" font-size="10" paint-order="stroke" stroke="#fff" stroke-width="3">${escapeHtml(clipped(label, 34))}<title>${escapeHtml(label)}</title></text>`;
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.5"${back ? ' stroke-dasharray="5 4"' : ""} marker-end="url(#tip)"/>${words}`;
}

function node(question: Question, places: Places): string {
  const { x, y } = places.get(question.id) ?? { x: 0, y: 0 };
  const heading = headingOf(question);
  const [first = "", second = ""] = lines(heading, 28);
  const exits = question.options
    .flatMap((option) => (option.type === "ToHomePage" ? ["⌂"] : option.type === "ToPrevious" ? ["↩"] : []))
    .join(" ");
  return [
    `<g><title>${escapeHtml(heading)}</title><rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="10" fill="${colours[question.type ?? ""] ?? "#f8fafc"}" stroke="#334155"/>`,
    `<text x="${x + 10}" y="${y + 18}" font-weight="700">${question.id}${question.type === undefined ? "" : ` ${question.type}`}</text><text x="${x + box.width - 10}" y="${y + 18}" text-anchor="end">${exits}</text>`,
    `<text x="${x + 10}" y="${y + 35}">${escapeHtml(first)}</text><text x="${x + 10}" y="${y + 50}">${escapeHtml(second)}</text></g>`,
  ].join("");
}

function lines(text: string, length: number): readonly [string, string] {
  if (text.length <= length) return [text, ""];
  const cut = text.lastIndexOf(" ", length);
  const at = cut > 0 ? cut : length;
  return [text.slice(0, at), clipped(text.slice(at).trim(), length)];
}

function clipped(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}
