import sharp from "sharp";
import type { Sharp } from "sharp";

/** Renders an SVG at exactly this size in pixels. The size is set on the root element, so that the result is never rescaled. */
export function drawSvg(svg: string, width: number, height: number): Sharp {
  return sharp(Buffer.from(svg.replace("<svg ", `<svg width="${width}" height="${height}" `)));
}
