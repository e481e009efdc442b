/**
 * `npm run demo`: runs Parlando with thirty days of invented visitors, in its own data folder. The visitors use the real engine and the real
 * calls, pay with the stand-in, and follow `scripts/demo/truths.ts`. `--days`, `--visits` and `--seed` change them; `--only-fill` starts no
 * server; `--remove` deletes the folder.
 */
import { demoMark, readEnv } from "#server/env.ts";
import { ownClock } from "#server/store/clock.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { createParts } from "../src/parts.ts";
import { countryHeader } from "./demo/client.ts";
import { fill } from "./demo/fill.ts";
import { raffle } from "./demo/truths.ts";
import { run } from "./run.ts";
import { isBuilt, markBuilt } from "./stamp.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "30" },
    visits: { type: "string", default: "2500" },
    seed: { type: "string", default: "1" },
    "only-fill": { type: "boolean", default: false },
    remove: { type: "boolean", default: false },
  },
});
// Other users of this machine must not read databases and mails.
process.umask(0o077);
const folder = resolve(process.env["DATA_DIR"] ?? "data/demo");
const filled = join(folder, demoMark);
const env = { ...process.env, DATA_DIR: folder, RAFFLE: JSON.stringify(raffle) };

if (values.remove) {
  if (!existsSync(filled)) throw new Error(`${folder} holds no demonstration data: nothing was deleted.`);
  rmSync(folder, { recursive: true });
  console.log(`Deleted ${folder}`);
  process.exit(0);
}
if (!isBuilt()) {
  const { code } = await run(process.execPath, ["scripts/build.ts"], { show: true });
  if (code !== 0) process.exit(1);
  markBuilt();
}
if (!existsSync(filled)) await fillFolder();
if (!values["only-fill"]) {
  Object.assign(process.env, env);
  await import("../src/main.ts");
}

async function fillFolder(): Promise<void> {
  const port = await freePort();
  const until = Date.now();
  const days = Number(values.days);
  const clock = { now: until - days * 86_400_000 };
  const settings = readEnv({ ...env, PORT: String(port), HOST: "127.0.0.1", BUSY_AFTER_MS: "0", COUNTRY_HEADER: countryHeader });
  const world = { now: () => clock.now, uuid: randomUUID, randomBytes, wait: sleep };
  const clockOf = async () => ownClock(world);
  const parts = await createParts(settings, { world, clockOf, log: pino({ level: "error" }), ending: () => false });
  const { app, payments, mail, erasing, standin, site, store, watch } = parts;
  await app.listen({ host: settings.host, port });
  for (const rounds of [payments, mail, erasing]) rounds.start();
  console.log(`Filling ${folder} with ${values.visits} visits in ${days} days …`);
  const counts = await fill({
    parts,
    clock,
    days,
    visits: Number(values.visits),
    until,
    seed: Number(values.seed),
    onDay: (day) => process.stdout.write(`\r${day}`),
  });
  process.stdout.write("\n");
  await app.close();
  await Promise.all([payments.stop(), erasing.stop()]);
  await mail.stop();
  await watch.stop();
  await standin?.close();
  await site.close();
  await store.close();
  writeFileSync(filled, JSON.stringify({ ...counts, days, seed: Number(values.seed), until: new Date(until).toISOString() }, null, 2));
  console.log(
    Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(", "),
  );
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}
