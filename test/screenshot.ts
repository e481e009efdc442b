/**
 * Screenshots at a quarter of the size, which blurs away differences of font rendering but keeps the design. With `VITE_RECORD_SCREENSHOTS` they are
 * recorded.
 */
import { commands, page } from "vitest/browser";
import { resize, takePointerAway } from "./screen.ts";
import { settle } from "./stage.ts";

/** Scale of the stored screenshot. Pictures are hidden: they have their own tests and may not be built. */
const keptScale = 0.25;
/**
 * The smallest difference of a colour channel (of 255) that counts, at two scales. At full size it is larger than differences of font rendering.
 * At the reduced scale, where text blurs to grey, it is as small as a changed design token.
 */
const looks = [
  { scale: 1, visible: 40 },
  { scale: 1 / 8, visible: 10 },
] as const;
/** Share of a picture's pixels that may differ. */
export const tolerated = 0.01;
/** Tolerated relative difference in height. */
const heightTolerated = 0.01;

interface Look {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
  readonly dataUrl: string;
}

async function draw(url: string, scale: number): Promise<Look> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("No canvas to draw on");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { width, height } = canvas;
  return { width, height, data: context.getImageData(0, 0, width, height).data, dataUrl: canvas.toDataURL("image/png") };
}

/** Share of different pixels in the common area of both pictures; 1 when the sizes differ too much. */
function difference(one: Look, other: Look, visible: number): number {
  if (one.width !== other.width || Math.abs(one.height - other.height) > Math.max(1, heightTolerated * other.height)) return 1;
  const length = Math.min(one.data.length, other.data.length);
  let different = 0;
  for (let at = 0; at < length; at += 4) {
    if ([0, 1, 2].some((channel) => Math.abs((one.data[at + channel] ?? 0) - (other.data[at + channel] ?? 0)) > visible)) different += 1;
  }
  return different / (length / 4);
}

/** @returns the stored screenshot; null without one */
async function kept(file: string): Promise<Look | null> {
  const content = await commands.readFile(file, { encoding: "base64" }).catch(() => null);
  return content === null ? null : draw(dataUrl(content), 1);
}

/**
 * Share of pixels in which the element differs from the screenshot at `path` (relative to the project's root, without extension). Throws without
 * a screenshot. When recording, it stores missing or differing screenshots and returns 0.
 */
export async function differenceFromKept(element: HTMLElement, path: string): Promise<number> {
  for (const picture of element.querySelectorAll<HTMLElement | SVGElement>("img, video, image")) picture.style.visibility = "hidden";
  await takePointerAway();
  settle();
  await document.fonts.ready;
  await resize(window.innerWidth, Math.max(window.innerHeight, Math.ceil(element.getBoundingClientRect().height)));
  const shot = await draw(dataUrl(await page.screenshot({ element, save: false })), keptScale);
  const file = `${path}.png`;
  const reference = await kept(file);
  const isRecording = import.meta.env["VITE_RECORD_SCREENSHOTS"] !== undefined;
  if (reference === null && !isRecording)
    throw new Error(`No picture in ${file}: \`npm run gallery:record -- ${path.split("/").at(-1)}\` keeps it.`);
  const shares = looks.map(async ({ scale, visible }) =>
    reference === null ? 1 : difference(await draw(shot.dataUrl, scale), await draw(reference.dataUrl, scale), visible),
  );
  const differs = Math.max(...(await Promise.all(shares)));
  if (!isRecording) return differs;
  if (differs > tolerated) await commands.writeFile(file, shot.dataUrl.slice(pngUrl.length), { encoding: "base64" });
  return 0;
}

const pngUrl = "data:image/png;base64,";
function dataUrl(base64: string): string {
  return `${pngUrl}${base64}`;
}
