/** Runs `npm run studio` as a process, before the site has started for the first time. */
import { startedEnv } from "#test/startedEnv.ts";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

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
