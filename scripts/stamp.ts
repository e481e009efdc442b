/** A fingerprint of the build's inputs, which tells whether the site must be rebuilt. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const stampFile = "build/.stamp";
const inputs = ["src", "vite.config.ts", "vite.studio.config.ts", "scripts/build.ts", "scripts/media.ts", "package-lock.json"];

/** Hash of the inputs' names, sizes and times. Their contents are 20 MB, too much to read at every start. */
export function fingerprint(): string {
  const hash = createHash("sha256").update(process.versions.node);
  const add = (path: string) => {
    if (!existsSync(path)) return;
    const stat = statSync(path);
    if (stat.isDirectory()) {
      for (const name of readdirSync(path).toSorted()) add(join(path, name));
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
    }
  };
  for (const input of inputs) add(input);
  return hash.digest("hex");
}

export function isBuilt(): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === fingerprint();
}

export function markBuilt(): void {
  writeFileSync(stampFile, fingerprint());
}
