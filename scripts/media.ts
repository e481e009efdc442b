/** `npm run media`: renders every picture of the manifest into `build/media`, in each size, locale and format. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import sharp from "sharp";
import type { Sharp } from "sharp";
import * as v from "valibot";
import { pictures } from "#content/media/manifest.ts";
import { openGraphUrl, pictureFile, pictureSize } from "#core/pictures.ts";
import type { PictureSource, PictureVariant } from "#core/pictures.ts";
import { locales } from "#core/locales.ts";
import type { Locale } from "#core/locales.ts";
import { drawSvg } from "./drawSvg.ts";
import { openGraphSize, openGraphSvg } from "./openGraph.ts";

const root = join(import.meta.dirname, "..");
const sources = join(root, "src/content/media/sources");
const clips = join(root, "src/content/media/clips");
const icons = join(root, "src/content/media/icons");

/** Increase it when rendering changes, so that unchanged sources are rendered again. */
const recipe = "1";

/** Writes the result of `draw`, unless the file exists and was made from the same input. */
type Keep = (file: string, input: string | Buffer, draw: () => Promise<Buffer>) => Promise<void>;

/** The most specific source: `name-desktop-de-DE.svg`, then `name-de-DE.svg`, `name-desktop.svg`, `name.svg`. */
function sourceFile(name: string, variant: PictureVariant, locale: Locale | null): string {
  const candidates = [
    pictureFile(name, variant, locale, 1),
    pictureFile(name, "phone", locale, 1),
    pictureFile(name, variant, null, 1),
    name,
  ];
  const file = candidates.map((candidate) => join(sources, `${candidate}.svg`)).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`${name}: no source in ${sources}`);
  return file;
}

/**
 * Flat drawings (png) are reduced to 64 colours. Their webp is lossless, which is smaller and crisper here than lossy. Pictures without
 * transparency (jpg) are lossy in both formats.
 */
const encoders = {
  png: (drawn: Sharp) => drawn.png({ palette: true, colours: 64, effort: 7 }).toBuffer(),
  jpg: (drawn: Sharp) => drawn.flatten({ background: "#ffffff" }).jpeg({ quality: 82, mozjpeg: true }).toBuffer(),
};
const webpEncoders = {
  png: async (drawn: Sharp) =>
    sharp(await encoders.png(drawn))
      .webp({ lossless: true, effort: 4 })
      .toBuffer(),
  jpg: (drawn: Sharp) => drawn.flatten({ background: "#ffffff" }).webp({ quality: 80, effort: 6 }).toBuffer(),
};

async function buildPicture(picture: PictureSource, keep: Keep): Promise<void> {
  for (const variant of ["phone", ...picture.variants] as const) {
    const size = pictureSize(picture, variant);
    for (const locale of [null, ...picture.locales]) {
      const svg = await readFile(sourceFile(picture.name, variant, locale), "utf8");
      for (const density of [1, 2] as const) {
        const file = pictureFile(picture.name, variant, locale, density);
        const drawn = () => drawSvg(svg, size.width * density, size.height * density);
        const input = `${size.width * density}x${size.height * density}\n${svg}`;
        await keep(`${file}.webp`, input, () => webpEncoders[picture.ext](drawn()));
        await keep(`${file}.${picture.ext}`, input, () => encoders[picture.ext](drawn()));
      }
    }
  }
}

/** The guide's films, as `scripts/clips.ts` made them. */
async function copyClips(keep: Keep): Promise<void> {
  for (const file of await readdir(clips)) {
    const film = await readFile(join(clips, file));
    await keep(file, film, () => Promise.resolve(film));
  }
}

/** Renders the site's icons for browser tabs and home screens, and the pictures for shared pages. */
async function buildMarks(keep: Keep): Promise<void> {
  const tab = await readFile(join(icons, "favicon.svg"), "utf8");
  const app = await readFile(join(icons, "app.svg"), "utf8");
  await keep("favicon.svg", tab, () => Promise.resolve(Buffer.from(tab)));
  await keep("favicon.ico", tab, async () => ico(await drawSvg(tab, 32, 32).png().toBuffer(), 32));
  for (const [file, size] of [
    ["apple-touch-icon", 180],
    ["icon-192", 192],
    ["icon-512", 512],
  ] as const) {
    await keep(`${file}.png`, app, () => drawSvg(app, size, size).png({ palette: true }).toBuffer());
  }
  for (const locale of locales) {
    const svg = await openGraphSvg(locale);
    await keep(basename(openGraphUrl(locale)), svg, () =>
      drawSvg(svg, openGraphSize.width, openGraphSize.height).png({ palette: true, colours: 128, effort: 7 }).toBuffer(),
    );
  }
}

/** An .ico file with one png: a directory of one entry, then the picture. */
function ico(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

/**
 * Builds the media into `target`. Resolves to the numbers of files written and unchanged.
 * With `chosen`, only these pictures.
 * Fails when a picture of the manifest has no source.
 */
export async function buildMedia(
  target: string,
  chosen: readonly PictureSource[] = Object.values(pictures),
): Promise<{ written: number; unchanged: number }> {
  await mkdir(target, { recursive: true });
  const ledgerFile = join(target, ".inputs.json");
  const before = new Map(existsSync(ledgerFile) ? readLedger(await readFile(ledgerFile, "utf8")) : []);
  const after = new Map<string, string>();
  let written = 0;
  const keep: Keep = async (file, input, draw) => {
    const hash = createHash("sha256").update(`${recipe}\n${sharp.versions.sharp}\n`).update(input).digest("base64url");
    after.set(file, hash);
    if (before.get(file) === hash && existsSync(join(target, file))) return;
    await writeFile(join(target, file), await draw());
    written += 1;
  };
  await Promise.all([...chosen.map((picture) => buildPicture(picture, keep)), copyClips(keep), buildMarks(keep)]);
  await writeFile(
    ledgerFile,
    JSON.stringify(
      [...after].toSorted(([a], [b]) => a.localeCompare(b)),
      null,
      1,
    ),
  );
  return { written, unchanged: after.size - written };
}

/** The last build's files and hashes. Empty when the record is unreadable, so that everything is rendered again. */
function readLedger(json: string): readonly (readonly [file: string, hash: string])[] {
  const ledger = v.safeParse(v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.string(), v.string()]))), json);
  return ledger.success ? ledger.output : [];
}

if (import.meta.main) {
  const { written, unchanged } = await buildMedia(join(root, "build/media"));
  console.log(`media: ${written} files drawn, ${unchanged} unchanged`);
}
