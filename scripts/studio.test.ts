/** Runs `npm run studio` as a process, before the site has started for the first time. */
import { startedEnv } from "#test/startedEnv.ts";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

it("npm run studio changes the role of an operator who exists, if it names one", () => {
  const folder = mkdtempSync(join(tmpdir(), "parlando-studio-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const studio = (...words: readonly string[]) =>
    spawnSync(process.execPath, ["scripts/studio.ts", ...words], { env: { ...startedEnv, DATA_DIR: folder }, encoding: "utf8" });
  const roleAfter = (...words: readonly string[]) => {
    expect(studio("invite", "ines@company.example", ...words).status).toBe(0);
    return studio("list").stdout.split(" ")[0];
  };
  expect([roleAfter("--role", "support"), roleAfter(), roleAfter("--role", "admin")]).toEqual(["support", "support", "admin"]);
});

it("npm run studio makes a database that only its own user can read, whatever the umask", () => {
  const folder = mkdtempSync(join(tmpdir(), "parlando-studio-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "made");
  const script = ["scripts/studio.ts", "invite", "ines@company.example"];
  const { status, stdout } = spawnSync("sh", ["-c", 'umask 022; exec "$0" "$@"', process.execPath, ...script], {
    env: { ...startedEnv, DATA_DIR: path },
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([0, expect.stringContaining("/studio/enter#")]);
  const files = readdirSync(path);
  expect(files).toEqual(expect.arrayContaining(["parlando.sqlite", "secret-key"]));
  const openToOthers = ["", ...files].filter((file) => (statSync(join(path, file)).mode & 0o077) !== 0);
  expect(openToOthers).toEqual([]);
});
