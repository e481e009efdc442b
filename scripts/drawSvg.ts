import sharp from "sharp";
import type { Sharp } from "sharp";

/** Draws an SVG at exactly this many pixels: the renderer takes its size from the root element, so nothing is scaled afterwards. */
export function drawSvg(svg: string, width: number, height: number): Sharp {
  return sharp(Buffer.from(svg.replace("<svg ", `<svg width="${width}" height="${height}" `)));
}
