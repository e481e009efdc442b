/** Compares collected audit lines with a real database. */
import { startedEnv } from "#test/startedEnv.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { expect, inject, it } from "vitest";

it("a row that was deleted or changed after its line was collected is named; one that an erasure emptied is not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlando-audit-"));
  const DATABASE_URL = await (await fetch(new URL("migrated", inject("postgresBroker")))).text();
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  const at = Date.now();
  const line = (id: string, action: string, also: object = {}) =>
    JSON.stringify({ msg: "Audit", audit: { id, at, action, account: "a", ...also } });
  const file = join(folder, "lines");
  writeFileSync(
    file,
    [
      line("kept", "account exported"),
      line("emptied", "password reset"),
      line("gone", "password reset"),
      line("by operator", "order refunded", { operator: "o1" }),
      line("in the past", "account exported", { at: 1 }),
      '{"msg":"Something else"}',
      "",
    ].join("\n"),
  );
  const compare = async () => {
    const program = spawn(process.execPath, ["scripts/auditLines.ts", file], {
      env: { ...startedEnv, DATA_DIR: folder, DATABASE_URL },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, "exit")]);
    return {
      stdout,
      code,
      named: stderr
        .trim()
        .split("\n")
        .map((told) => told.slice(25)),
    };
  };
  const audit = "INSERT INTO audit (id, at, account_uuid, kind, data) VALUES ($1, $2, $3, $4, '{}')";
  await client.query(audit, ["kept", at, "a", "account exported"]);
  await client.query(audit, ["emptied", at, null, "password reset"]);
  await client.query(
    "INSERT INTO operator_audit (id, at, operator_id, operator_name, action, subject, account_uuid) VALUES ('by operator', $1, 'o1', 'Ines', 'order refunded', 'order 1', 'a')",
    [at],
  );
  expect(await compare()).toEqual({
    stdout: "4 audit lines, 1 without their row\n",
    code: 1,
    named: ['gone "password reset": its row is missing'],
  });
  await client.query(audit, ["gone", at, "a", "password reset"]);
  expect(await compare()).toMatchObject({ stdout: "4 audit lines, 0 without their row\n", code: 0 });
  await client.query("UPDATE operator_audit SET operator_id = 'o2'");
  await client.query("UPDATE audit SET account_uuid = 'b' WHERE id = 'kept'");
  expect((await compare()).named).toEqual([
    'kept "account exported": its row names another account',
    'by operator "order refunded": its row has another operator',
  ]);
  await client.end();
  rmSync(folder, { recursive: true, force: true });
});
