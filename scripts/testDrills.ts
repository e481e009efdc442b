/** `npm run test:drills`: failure drills. Stops one part after the other of a complete installation under load. */
import { existsSync } from "node:fs";
import { install, mayInstall } from "./debian.ts";
import { run } from "./run.ts";

const parts = [
  { file: "/usr/bin/etcd", names: ["etcd-server"] },
  { file: "/usr/bin/patroni", names: ["patroni", "python3-etcd"] },
  { file: "/usr/lib/postgresql", names: ["postgresql"] },
  { file: "/usr/bin/redis-server", names: ["redis-server"] },
  { file: "/usr/sbin/haproxy", names: ["haproxy"] },
] as const;

for (const { file, names } of parts) {
  if (!existsSync(file) && mayInstall()) await install(...names);
  if (existsSync(file)) continue;
  console.error(`${file} is missing: install Debian's ${names.join(" and ")}.`);
  process.exit(1);
}
const { code } = await run("vitest", ["run", "--config", "vitest.drills.config.ts", ...process.argv.slice(2)], {
  show: true,
  env: { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` },
});
process.exit(code);
