/** What stands in ops/ and the Dockerfile names what there is: variables, paths, ports, metrics. */
import { variableNames } from "#server/env.ts";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");
const files = ["Dockerfile", "ops/compose.yml", "ops/compose.full.yml", "ops/env.example", "ops/kubernetes/parlando.yaml"];
/** Of other programs. */
const others = new Set(["POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"]);

it.each(files)("%s sets variables that are read, and no other", (file) => {
  const text = read(file).replaceAll(/^\s*#.*$/gm, "");
  const named = [...text.matchAll(/(?:^|[\s{(])([A-Z][A-Z\d]*_[A-Z\d_]+|PORT|HOST|RAFFLE|LIMITS)(?=[:=])|\$\{([A-Z_]+)\}/gm)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !variableNames.includes(name) && !others.has(name))).toEqual([]);
});

it("the image runs as nobody, listens where its check asks, and takes what the program needs", () => {
  const text = read("Dockerfile");
  expect(text.match(/^FROM /gm)).toHaveLength(2);
  expect(text).toMatch(/^FROM gcr\.io\/distroless\/cc-debian13:nonroot$/m);
  expect(text).toMatch(/^USER 65532:65532$/m);
  expect(text).toMatch(/PORT=3000/);
  expect(text).toMatch(/^EXPOSE 3000$/m);
  expect(text).toMatch(/process\.env\.PORT \+ '\/healthz'/);
  const major = /"node": ">=(\d+)"/.exec(read("package.json"))?.[1];
  expect(text).toMatch(new RegExp(`^FROM node:${major}-trixie-slim AS build$`, "m"));
  const [, taken = ""] = text.split("FROM gcr.io");
  const folders = [...taken.matchAll(/--from=build \/app\/(\S+)/g)].map(([, name = ""]) => name);
  const ignored = read(".dockerignore").split("\n");
  for (const name of folders)
    expect([name, name === "build" || name === "node_modules" || (existsSync(name) && !ignored.includes(name))]).toEqual([name, true]);
  // What the program reads beside its code: migrations by their place from src/server/store, and its own package.json.
  expect(folders).toEqual(expect.arrayContaining(["package.json", "node_modules", "db", "src", "scripts", "build"]));
});

it("scripts, ports and probes that the manifests name are there", () => {
  const manifest = read("ops/kubernetes/parlando.yaml");
  for (const [, script = ""] of manifest.matchAll(/args: \[(\S+)\]/g)) expect([script, existsSync(script)]).toEqual([script, true]);
  const operations = read("src/server/operations.ts");
  const probes = [...manifest.matchAll(/path: (\/\S+?),/g)].map(([, path]) => path);
  expect(new Set(probes)).toEqual(new Set(["/healthz", "/readyz"]));
  for (const path of probes) expect(operations).toContain(`app.get("${path}"`);
  for (const file of ["ops/compose.yml", "ops/compose.full.yml"]) {
    const text = read(file);
    for (const wanted of ["read_only: true", 'cap_drop: ["ALL"]', "no-new-privileges:true", "site"]) expect(text).toContain(wanted);
    for (const [, port] of text.matchAll(/site(?:-[ab])?:(\d+)/g)) expect(port).toBe("3000");
    for (const [, path = ""] of text.matchAll(/"\.(\/[a-z]+):/g)) expect(readdirSync(`ops${path}`).length).toBeGreaterThan(0);
  }
});
