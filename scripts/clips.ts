/**
 * `node scripts/clips.ts [name …]`: renders films of the drawn guide, talking and blinking, into `src/content/media/clips`. The films are
 * committed, because the build may run without ffmpeg. Each frame is drawn from `sources/{name}.svg`. Its head, eyes, mouth and waving hand
 * have ids. The films have no sound, only subtitles.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { films } from "#content/media/films.ts";
import { drawSvg } from "./drawSvg.ts";

const media = join(import.meta.dirname, "../src/content/media");

type ClipName = keyof typeof films;

const [width, height, framesPerSecond] = [640, 768, 12];
/** Background for players without transparency (mp4, Safari): the first shape's colour in the parlando theme. */
const backdrop = "#d8d2ff";
/** Seconds at the start and the end of a film in which the guide does not talk. In the last frame she smiles and listens. */
const [silenceAtStart, silenceAtEnd] = [0.3, 0.8];

/** Size of the open mouth in SVG units; null is the smile of the drawing. */
type Mouth = readonly [halfWidth: number, opening: number] | null;
const syllables: readonly (readonly Mouth[])[] = [
  [
    [30, 20],
    [34, 40],
    [28, 18],
  ],
  [
    [34, 30],
    [30, 12],
  ],
  [
    [20, 34],
    [22, 20],
  ],
  [
    [36, 46],
    [32, 22],
  ],
  [[26, 14], null],
];

/** The mouth in every frame: pseudo-random syllables with pauses, the same for each seed. */
function speech(frames: number, seed: number): readonly Mouth[] {
  const mouths: Mouth[] = Array.from({ length: Math.round(silenceAtStart * framesPerSecond) }, () => null);
  const end = frames - Math.round(silenceAtEnd * framesPerSecond);
  let state = seed;
  for (let syllable = 1; mouths.length < end; syllable += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    mouths.push(...(syllables[Math.floor(state / 65_536) % syllables.length] ?? []));
    if (syllable % 7 === 0) mouths.push(null, null, null);
  }
  return Array.from({ length: frames }, (_, frame) => (frame < end ? (mouths[frame] ?? null) : null));
}

function mouthPath([halfWidth, opening]: readonly [number, number]): string {
  const [x, y] = [543, 412];
  const [left, right, bottom] = [x - halfWidth, x + halfWidth, y + opening];
  const shape = `M${left} ${y + 3}Q${x} ${y - 5} ${right} ${y - 4}C${right + 2} ${y + opening * 0.7} ${x + halfWidth * 0.6} ${bottom} ${x} ${bottom}C${x - halfWidth * 0.6} ${bottom} ${left - 2} ${y + opening * 0.7} ${left} ${y + 3}Z`;
  const tongue =
    opening > 24 ? `<ellipse cx="${x}" cy="${y + opening * 0.8}" rx="${halfWidth * 0.5}" ry="${opening * 0.2}" fill="#ff6b4a"/>` : "";
  return `<path fill="#1b1f3b" stroke="#1b1f3b" stroke-width="8" stroke-linejoin="round" d="${shape}"/>${tongue}`;
}

const closedEyes = `<path fill="none" stroke="#1b1f3b" stroke-width="11" stroke-linecap="round" d="M460 300q17 12 34 0M576 298q15 11 30 -1"/>`;

/** Duration of the wave, s, in drawings with a waving hand. */
const wavingFor = 2.6;

/** One frame of the guide: she breathes, her head sways, she blinks every few seconds, and her mouth follows `mouth`. */
export function guideFrame(svg: string, seconds: number, mouth: Mouth): string {
  const blinking = (seconds + 1.1) % 2.6 < 2 / framesPerSecond;
  const talking = mouth === null ? 0 : 1;
  const turn = 1.4 * Math.sin(seconds * 2.1) + talking * 0.5 * Math.sin(seconds * 9);
  const nod = 3 * Math.sin(seconds * 4.3);
  const breath = 1 + 0.004 * Math.sin(seconds * 2.4);
  const wave = seconds < wavingFor ? 6 * Math.sin(seconds * 10) * Math.sin((Math.PI * seconds) / wavingFor) : 0;
  const part = (id: string) => new RegExp(`<path id="${id}"[^>]*/>`);
  const face = svg
    .replace(part("eyes"), (drawn) => (blinking ? closedEyes : drawn))
    .replace(part("mouth"), (drawn) => (mouth ? mouthPath(mouth) : drawn));
  return face
    .replace('<g id="head">', `<g id="head" transform="translate(0 ${nod.toFixed(2)}) rotate(${turn.toFixed(2)} 470 540)">`)
    .replace('<g id="hand">', `<g id="hand" transform="rotate(${wave.toFixed(2)} 700 1120)">`)
    .replace(
      /(<svg[^>]*>)([\s\S]*)<\/svg>/,
      `$1<g transform="translate(0 ${(1096 * (1 - breath)).toFixed(2)}) scale(1 ${breath.toFixed(5)})">$2</g></svg>`,
    );
}

async function film(name: ClipName, target: string): Promise<void> {
  const svg = await readFile(join(media, "sources", `${name}.svg`), "utf8");
  const frames = films[name] * framesPerSecond;
  // States the colour matrix. Players guess a missing one differently, which changes the colours.
  const colours = (pixels: string) =>
    `-vf scale=out_color_matrix=bt709:out_range=tv,format=${pixels} -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv`.split(
      " ",
    );
  const webm = [...colours("yuva420p"), ..."-c:v libvpx-vp9 -crf 34 -b:v 0 -auto-alt-ref 0 -deadline good -cpu-used 1".split(" ")];
  const mp4 = [...colours("yuv420p"), ..."-c:v libx264 -crf 25 -preset veryslow -movflags +faststart".split(" ")];
  const outputs = [...webm, join(target, `${name}.webm`), ...mp4, join(target, `${name}.mp4`)];
  const ffmpeg = spawn(
    "ffmpeg",
    [
      "-y",
      "-loglevel",
      "error",
      "-f",
      "rawvideo",
      "-pix_fmt",
      "rgba",
      "-s",
      `${width}x${height}`,
      "-r",
      String(framesPerSecond),
      "-i",
      "-",
      ...outputs,
    ],
    { stdio: ["pipe", "inherit", "inherit"] },
  );
  const closed = once(ffmpeg, "close");
  for (const [frame, mouth] of speech(frames, name.length * 7919 + name.charCodeAt(6)).entries()) {
    const drawn = await drawSvg(guideFrame(svg, frame / framesPerSecond, mouth), width, height)
      .png()
      .toBuffer();
    // Gives transparent pixels the backdrop's colour, since players without transparency would show them black.
    const alpha = await sharp(drawn).extractChannel("alpha").raw().toBuffer();
    const pixels = await sharp(drawn)
      .flatten({ background: backdrop })
      .joinChannel(alpha, { raw: { width, height, channels: 1 } })
      .raw()
      .toBuffer();
    if (!ffmpeg.stdin.write(pixels)) await once(ffmpeg.stdin, "drain");
  }
  ffmpeg.stdin.end();
  const [code] = await closed;
  if (code !== 0) throw new Error(`ffmpeg ended with ${String(code)} on ${name}`);
}

if (import.meta.main) {
  const target = join(media, "clips");
  const asked = process.argv.slice(2);
  await mkdir(target, { recursive: true });
  for (const name of ["guide-hello", "guide-level", "guide-plan", "guide-offer"] as const) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    await film(name, target);
    for (const ext of ["webm", "mp4"])
      console.log(`${name}.${ext}: ${Math.ceil((await stat(join(target, `${name}.${ext}`))).size / 1024)} kB`);
  }
}
