import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { films } from "#content/media/films.ts";
import { pictures } from "#content/media/manifest.ts";
import { locales } from "#core/locales.ts";
import { openGraphUrl, pictureSize, pictureUrl } from "#core/pictures.ts";
import { guideFrame } from "./clips.ts";
import { buildMedia } from "./media.ts";

const media = join(import.meta.dirname, "../src/content/media");
/** The site's own pictures: a build that follows finds them rendered. */
const built = join(import.meta.dirname, "../build/media");
const all = Object.values(pictures);
const sizeOf = async (file: string) => (await stat(file)).size;

beforeAll(async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  await buildMedia(built);
});

describe("the manifest", () => {
  test("names every source and nothing else", async () => {
    const drawn = (await readdir(join(media, "sources"))).map((file) => basename(file, ".svg"));
    const variant = `(-tablet|-desktop)?(-(${locales.join("|")}))?`;
    expect(drawn.filter((file) => !all.some(({ name }) => new RegExp(`^${name}${variant}$`).test(file)))).toEqual([]);
    expect(Object.keys(pictures).filter((name) => !drawn.includes(name))).toEqual([]);
  });

  test.each(all)("$name has its source's proportions", async ({ name, width, height }) => {
    const svg = await readFile(join(media, "sources", `${name}.svg`), "utf8");
    const [, , sourceWidth = 0, sourceHeight = 0] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? "").split(" ").map(Number);
    expect(height).toBe(Math.round((width * sourceHeight) / sourceWidth));
  });
});

describe("the built pictures", () => {
  test("every picture URL of a page is a file of the stated size", async () => {
    const wrong: string[] = [];
    for (const picture of all) {
      for (const variant of ["phone", "tablet", "desktop"] as const) {
        for (const density of [1, 2] as const) {
          const { width, height } = pictureSize(picture, variant);
          for (const url of new Set(
            locales.flatMap((locale) => (["webp", picture.ext] as const).map((ext) => pictureUrl(picture, variant, density, locale, ext))),
          )) {
            const made = await sharp(join(built, basename(url))).metadata();
            if (made.width !== width * density || made.height !== height * density) wrong.push(url);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("a picture for a phone has at most 40 kB", async () => {
    const heavy: string[] = [];
    for (const picture of all) {
      for (const url of new Set(locales.map((locale) => pictureUrl(picture, "phone", 2, locale, "webp"))))
        if ((await sizeOf(join(built, basename(url)))) > 40 * 1000) heavy.push(url);
    }
    expect(heavy).toEqual([]);
  });

  test.each(locales)("a page shared in %s shows a picture of 1200×630", async (locale) => {
    expect(await sharp(join(built, basename(openGraphUrl(locale)))).metadata()).toMatchObject({ width: 1200, height: 630, format: "png" });
  });

  test("there are icons for the browser tab and the home screen", async () => {
    expect(await sharp(join(built, "apple-touch-icon.png")).metadata()).toMatchObject({ width: 180, height: 180 });
    expect(await sharp((await readFile(join(built, "favicon.ico"))).subarray(22)).metadata()).toMatchObject({
      width: 32,
      height: 32,
      format: "png",
    });
  });
});

describe("building again", () => {
  let target: string;
  const chosen = all.slice(0, 1);
  beforeAll(async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    target = await mkdtemp(join(tmpdir(), "media-"));
    await buildMedia(target, chosen);
  });
  afterAll(() => rm(target, { recursive: true }));

  test("renders everything again when the ledger is unreadable", async () => {
    await writeFile(join(target, ".inputs.json"), '[["guide');
    expect((await buildMedia(target, chosen)).unchanged).toBe(0);
  });

  test("renders missing files, but no unchanged source", async () => {
    expect(await buildMedia(target, chosen)).toMatchObject({ written: 0 });
    await rm(join(target, `${chosen[0]?.name}.webp`));
    expect(await buildMedia(target, chosen)).toMatchObject({ written: 1 });
  });
});

describe("the guide's films", () => {
  test.each(Object.keys(films))("%s exists as webm and mp4 of at most 400 kB, with a poster", async (name) => {
    for (const ext of ["webm", "mp4"]) expect(await sizeOf(join(built, `${name}.${ext}`))).toBeLessThanOrEqual(400 * 1024);
    expect(pictures[name]).toBeDefined();
  });

  test.each(Object.keys(films))("%s has a head, eyes and a mouth that can be animated", async (name) => {
    const svg = await readFile(join(media, "sources", `${name}.svg`), "utf8");
    const still = guideFrame(svg, 0, null);
    expect(guideFrame(svg, 0, [30, 30])).not.toBe(still);
    expect(guideFrame(svg, 1.5, null).match(/<path id="eyes"/g)).toBeNull();
    expect(still).toContain('<path id="eyes"');
    expect(still).toContain('<g id="head" transform=');
  });
});
