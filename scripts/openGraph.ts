/** The picture of shared pages, 1200×630: the home page's headline in each language beside its two speakers. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as fontkit from "fontkit";
import { uiTexts } from "#content/texts/ui.ts";
import { localeTraits } from "#core/locales.ts";
import type { Locale } from "#core/locales.ts";
import { fillText, plainText } from "#core/text.ts";
import type { TextPart } from "#core/text.ts";

export const openGraphSize = { width: 1200, height: 630 } as const;

const sources = join(import.meta.dirname, "../src/content/media/sources");
const colour = {
  page: "#faf7f2",
  text: "#1b1f3b",
  primary: "#4a3aff",
  accent: "#ff6b4a",
  lilac: "#d8d2ff",
  sun: "#ffdf9e",
  peach: "#ffcdbe",
  white: "#ffffff",
} as const;

type Setting = (text: string, size: number) => { readonly path: string; readonly width: number };

interface Word {
  readonly marked: boolean;
  /** Width of the space before the word; 0 for punctuation after a marked word. */
  readonly space: number;
  readonly width: number;
  readonly path: string;
}

/** The heading's font in its default instance, the boldest and largest. Text becomes outlines, so no font needs to be installed. */
async function headingFont(): Promise<Setting> {
  const file = createRequire(import.meta.url).resolve(
    "@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2",
  );
  const font = fontkit.create(await readFile(file));
  if (!("layout" in font)) throw new Error(`${file} holds several fonts`);
  return (text, size) => {
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(text);
    let x = 0;
    const path = glyphs.map((glyph, index) => {
      const at = x;
      x += positions[index]?.xAdvance ?? glyph.advanceWidth;
      return `<path transform="translate(${(at * scale).toFixed(1)} 0) scale(${scale} ${-scale})" d="${glyph.path.toSVG()}"/>`;
    });
    return { path: path.join(""), width: x * scale };
  };
}

function wording(part: TextPart): string {
  return typeof part === "string" ? part : part.parts.map(wording).join("");
}

/** Breaks words into lines of at most `width`. No line starts with punctuation. */
function lines(words: readonly Word[], width: number): readonly (readonly Word[])[] {
  const set: Word[][] = [[]];
  let used = 0;
  for (const word of words) {
    if (used > 0 && word.space > 0 && used + word.space + word.width > width) {
      set.push([]);
      used = 0;
    }
    set.at(-1)?.push(word);
    used += (used > 0 ? word.space : 0) + word.width;
  }
  return set;
}

/** The headline, left of the figures, in the largest size that fits. Marked words get a highlighter stroke. */
function headline(parts: readonly TextPart[], set: Setting): string {
  const column = { left: 72, middle: 340, width: 520, rows: 4 };
  const sized = [76, 68, 60, 52, 44].map((size) => {
    const space = set(" ", size).width;
    const words = parts.flatMap((part) =>
      (wording(part).match(/\S+/g) ?? []).map((text): Word => {
        const { path, width } = set(text, size);
        return { marked: typeof part !== "string", space: /^[.,:!?…]+$/.test(text) ? 0 : space, path, width };
      }),
    );
    const rows = lines(words, column.width);
    return { size, rows, fits: rows.length <= column.rows && words.every(({ width }) => width <= column.width) };
  });
  const chosen = sized.find(({ fits }) => fits);
  if (chosen === undefined) throw new Error("the home page's headline is too long for the picture of shared pages");
  const { size, rows } = chosen;
  const leading = size * 1.12;
  const top = column.middle - (rows.length * leading) / 2 + size * 0.72;
  return rows
    .flatMap((row, index) => {
      const y = top + index * leading;
      let end = column.left;
      return row.map((word, place) => {
        const x = end + (place > 0 ? word.space : 0);
        end = x + word.width;
        const marker = `<rect x="${x - 6}" y="${y - size * 0.2}" width="${word.width + 12}" height="${size * 0.32}" rx="6" fill="${colour.sun}"/>`;
        return `${word.marked ? marker : ""}<g transform="translate(${x} ${y})">${word.path}</g>`;
      });
    })
    .join("");
}

/** A white bubble with text; `x` is its edge on the speaker's side. */
function chip(text: string, x: number, y: number, side: "left" | "right", set: Setting): string {
  const { width, path } = set(text, 36);
  const padding = 28;
  const left = side === "left" ? x : x - width - 2 * padding;
  return `${bubble(left, y, width + 2 * padding, 76, side, colour.white)}<g transform="translate(${left + padding} ${y + 50})">${path}</g>`;
}

/** A speech bubble: three round corners, and a tight lower one on the speaker's side. */
function bubble(x: number, y: number, width: number, height: number, side: "left" | "right", fill: string): string {
  const [round, tight] = [22, 6];
  const [right, left] = side === "right" ? [tight, round] : [round, tight];
  return `<path fill="${fill}" d="M${x + round} ${y}h${width - 2 * round}a${round} ${round} 0 0 1 ${round} ${round}v${height - round - right}a${right} ${right} 0 0 1 -${right} ${right}h-${width - right - left}a${left} ${left} 0 0 1 -${left} -${left}v-${height - round - left}a${round} ${round} 0 0 1 ${round} -${round}Z"/>`;
}

/** Embeds a picture of the manifest in another SVG, with unique clip ids. */
async function figure(name: string, x: number, y: number, width: number, height: number): Promise<string> {
  const svg = await readFile(join(sources, `${name}.svg`), "utf8");
  return svg
    .replace("<svg ", `<svg x="${x}" y="${y}" width="${width}" height="${height}" `)
    .replaceAll(/ id="(\w+)"/g, ` id="${name}-$1"`)
    .replaceAll(/url\(#(\w+)\)/g, `url(#${name}-$1)`);
}

/** The picture for one locale, as SVG with all text as outlines. */
export async function openGraphSvg(locale: Locale): Promise<string> {
  const { intl } = localeTraits[locale];
  const texts = uiTexts(locale);
  const set = await headingFont();
  const plain = (key: "home.bubble.ask" | "home.bubble.answer") => plainText(texts[key], {}, intl);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${openGraphSize.width} ${openGraphSize.height}">
<rect width="1200" height="630" fill="${colour.page}"/>
<path fill="${colour.lilac}" d="M606 630V300a100 100 0 0 1 100-100h160a100 100 0 0 1 100 100v330Z"/>
${await figure("hero-left", 582, 96, 372, 556)}
<path fill="${colour.peach}" stroke="${colour.page}" stroke-width="14" d="M916 650V424a96 96 0 0 1 96-96h130a96 96 0 0 1 96 96v226Z"/>
${await figure("hero-right", 892, 254, 318, 400)}
<g fill="${colour.text}">${chip(plain("home.bubble.ask"), 916, 62, "left", set)}${chip(plain("home.bubble.answer"), 1164, 162, "right", set)}</g>
<g transform="translate(72 64) scale(2.4)"><path fill="${colour.primary}" d="M0 20V11a11 11 0 1 1 11 11H2a2 2 0 0 1-2-2Z"/><path fill="${colour.accent}" stroke="${colour.page}" stroke-width="2.4" paint-order="stroke" d="M14.4 18a7.6 7.6 0 0 1 15.2 0v6.2a1.4 1.4 0 0 1-1.4 1.4H22a7.6 7.6 0 0 1-7.6-7.6Z"/></g>
<g fill="${colour.text}">${headline(fillText(texts["home.title"], {}, intl), set)}</g>
</svg>`;
}
