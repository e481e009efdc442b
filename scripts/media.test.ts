import { mkdtemp, readFile, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictures } from "#content/media/manifest.ts";
import { locales } from "#core/locales.ts";
import { pictureSize, pictureUrl } from "#core/pictures.ts";
import { buildMedia } from "./media.ts";

const sources = join(import.meta.dirname, "../src/content/media/sources");
let built: string;
let first: Awaited<ReturnType<typeof buildMedia>>;

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "media-"));
  first = await buildMedia(built);
}, 60_000);
afterAll(() => rm(built, { recursive: true }));

describe("the manifest", () => {
  test("names every source and nothing else", async () => {
    const drawn = (await readdir(sources)).map((file) => basename(file, ".svg"));
    const variantOf = (name: string) => Object.keys(pictures).find((picture) => name === picture || new RegExp(`^${picture}(-tablet|-desktop)?(-(${locales.join("|")}))?$`).test(name));
    expect(drawn.filter((name) => variantOf(name) === undefined)).toEqual([]);
    expect(Object.keys(pictures).filter((name) => !drawn.includes(name))).toEqual([]);
  });

  test.each(Object.values(pictures))("$name has its source's proportions", async ({ name, width, height }) => {
    const [, , sourceWidth = 0, sourceHeight = 0] = (/viewBox="([^"]+)"/.exec(await readFile(join(sources, `${name}.svg`), "utf8"))?.[1] ?? "").split(" ").map(Number);
    expect(height).toBe(Math.round((width * sourceHeight) / sourceWidth));
  });
});

describe("the built pictures", () => {
  test("every address that a page can ask for is a file of the true size", async () => {
    const wrong: string[] = [];
    for (const picture of Object.values(pictures)) {
      for (const variant of ["phone", "tablet", "desktop"] as const) {
        for (const density of [1, 2] as const) {
          const { width, height } = pictureSize(picture, variant);
          const urls = new Set(locales.flatMap((locale) => (["webp", picture.ext] as const).map((ext) => pictureUrl(picture, variant, density, locale, ext))));
          for (const url of urls) {
            const made = await sharp(join(built, basename(url))).metadata();
            if (made.width !== width * density || made.height !== height * density) wrong.push(url);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("a phone is never sent more than 40 kB for one picture", async () => {
    const heavy: string[] = [];
    for (const picture of Object.values(pictures)) {
      const url = pictureUrl(picture, "phone", 2, "es-419", "webp");
      if ((await stat(join(built, basename(url)))).size > 40 * 1024) heavy.push(url);
    }
    expect(heavy).toEqual([]);
  });

  test("nothing is drawn again from unchanged sources", async () => {
    expect(first.unchanged).toBe(0);
    expect(await buildMedia(built)).toEqual({ written: 0, unchanged: first.written });
  });

  test("a file that was lost is drawn again", async () => {
    await rm(join(built, "guide.webp"));
    expect(await buildMedia(built)).toEqual({ written: 1, unchanged: first.written - 1 });
  });
});
