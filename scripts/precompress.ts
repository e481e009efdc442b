/** Compresses files at build time, at the highest level. The server only sends them. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressible = /\.(js|css|svg|json)$/;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes `.br` and `.gz` beside every compressible file of a folder. */
export async function precompress(folder: string): Promise<void> {
  const there = new Set(await readdir(folder));
  // Files of earlier builds are compressed already. Their names contain a hash, so they are unchanged.
  const names = [...there].filter((name) => compressible.test(name) && !(there.has(`${name}.br`) && there.has(`${name}.gz`)));
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const bytes = await readFile(file);
      await writeFile(
        `${file}.br`,
        await toBrotli(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
      );
      await writeFile(`${file}.gz`, await toGzip(bytes, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}
