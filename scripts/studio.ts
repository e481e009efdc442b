/**
 * `npm run studio -- invite <e-mail> [--role admin] [--name "Ines Roth"]`: creates an operator (an admin without `--role`), or changes the role of an existing
 * one. Prints a sign-in link and mails it.
 * `npm run studio -- list`: lists the operators. Both use the configured database.
 */
import { roles } from "#studio/contract/call.ts";
import type { World } from "#server/base/world.ts";
import { readEnv } from "#server/env.ts";
import { migrate } from "#server/store/migrate.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { addOperator, changeRole, inviteByMail, operatorByAddress } from "#server/studio/operators/operators.ts";
import { addressOfLink } from "#server/studio/operators/links.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as v from "valibot";

// It may make the database, which other users of this machine may not read.
process.umask(0o077);

const usage = `Use: npm run studio -- invite <e-mail> [--role ${roles.join("|")}] [--name "Ines Roth"], or npm run studio -- list`;
const world: World = { now: Date.now, uuid: randomUUID, randomBytes, wait: sleep };

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { role: { type: "string" }, name: { type: "string" } },
  });
  const [command, address] = positionals;
  if (command !== "list" && command !== "invite") throw new Error(usage);
  const settings = readEnv(process.env);
  mkdirSync(settings.dataDir, { recursive: true });
  const store =
    settings.databaseUrl === null
      ? openSqlite(join(settings.dataDir, "parlando.sqlite"))
      : openPostgres(settings.databaseUrl, (error) => console.error(error.message));
  try {
    await migrate(store, world.now());
    if (command === "list") {
      const rows = await store.read.selectFrom("operators").selectAll().where("removed_at", "is", null).orderBy("name").execute();
      for (const row of rows) console.log(`${row.role.padEnd(10)} ${row.name} <${row.address}>`);
      if (rows.length === 0) console.log("There are no operators yet.");
      return;
    }
    const given = v.safeParse(v.object({ email: v.pipe(v.string(), v.toLowerCase(), v.email()), role: v.optional(v.picklist(roles)) }), {
      email: address,
      role: values.role,
    });
    if (!given.success) throw new Error(usage);
    const { email, role } = given.output;
    const token = await store.write(async (queries) => {
      const known = await operatorByAddress(queries, email);
      const name = values.name ?? email.split("@")[0] ?? email;
      const operator = known ?? (await addOperator(queries, world, { email, role: role ?? "admin", name }, null));
      if (role !== undefined && role !== operator.role) await changeRole(queries, world, { operator, role, by: null });
      return inviteByMail(queries, world, settings.secretKeys, operator, null);
    });
    console.log(`${addressOfLink(settings.publicUrl, token)}\nThe link works once, for 3 days. It also goes out by mail.`);
  } finally {
    await store.close();
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
