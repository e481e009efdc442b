/** `npm run test:pgbouncer`: runs the server's tests on PostgreSQL behind PgBouncer. */
import { existsSync } from "node:fs";
import { install, mayInstall } from "./debian.ts";
import { run } from "./run.ts";

const isThere = () => existsSync("/usr/sbin/pgbouncer");
if (!isThere() && mayInstall()) await install("pgbouncer");
if (!isThere()) {
  console.error("PgBouncer is missing: install Debian's package pgbouncer.");
  process.exit(1);
}
const { code } = await run("vitest", ["run", "--project", "node", ...(process.argv.length > 2 ? process.argv.slice(2) : ["src/server"])], {
  show: true,
  env: { DATABASES: "pgbouncer", PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` },
});
process.exit(code);
