/** Entry point: reads the environment, creates the parts, listens, and shuts down on a signal. */
import { readEnv } from "#server/env.ts";
import { logDestination, loggerOptions } from "#server/logging.ts";
import { startTracing, stopTracing } from "#server/base/traces.ts";
import type { World } from "#server/base/world.ts";
import type { Settings } from "#server/base/settings.ts";
import { databaseClock } from "#server/store/clock.ts";
import { firstLink } from "#server/studio/operators/first.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { createParts } from "./parts.ts";
import { sentencesOf } from "./startFailure.ts";

/** Longest shutdown, ms. Then the process exits by itself. */
const endsWithinMs = 29_000;
/** Longest time for running requests after the port has closed, ms. The parts that stop after them need time too. */
const slowestAnswerMs = 8_000;
// Other users of this machine may read neither databases nor mails nor keys.
process.umask(0o077);
// Without a handler, a full disk would end the process: log output that cannot be written is dropped.
process.stdout.on("error", () => undefined);

const machine: World = { now: Date.now, uuid: randomUUID, randomBytes, wait: sleep };

async function start(settings: Settings): Promise<void> {
  await startTracing(settings);
  const log = pino(loggerOptions(settings), logDestination());
  let ending = false;
  const { app, world, clock, store, site, payments, mail, erasing, retention, conversions, keptDays, journeyCopy, watch, standin } =
    await createParts(settings, {
      world: machine,
      clockOf: (store) => databaseClock({ store, world: machine, log }),
      log,
      ending: () => ending,
    });
  const address = await app.listen({ host: settings.host, port: settings.port });
  for (const rounds of [clock, payments, mail, erasing, retention, conversions, keptDays, journeyCopy, watch]) rounds.start();

  console.log(`Parlando:  ${settings.publicUrl}`);
  if (settings.smtpUrl === null) console.log(`Mailbox:   ${settings.publicUrl}/dev/mail`);
  if (standin) console.log(`Payments:  ${settings.publicUrl}/standins/paddle (stand-in)`);
  console.log(`Studio:    ${settings.publicUrl}/studio`);
  // Not in production, where other people read the log: there `npm run studio -- invite` makes the link.
  const first = settings.production ? null : await firstLink({ store, world, settings });
  if (first !== null) console.log(`           To become its first operator, open ${first} once`);
  log.info({ address }, "Listening");

  const end = async (signal: string) => {
    if (ending) return;
    ending = true;
    log.info({ signal }, "Ending");
    // Safe to kill: every acknowledged write is durable.
    setTimeout(() => process.exit(1), endsWithinMs).unref();
    // Load balancers see that the process is not ready before its port closes.
    await sleep(settings.drainMs);
    setTimeout(() => app.server.closeAllConnections(), slowestAnswerMs).unref();
    let failed = false;
    for (const [part, stop] of [
      ["app", () => app.close()],
      // All stop at the same time, because each may wait for an outside service. The mails stop later, because payments may still queue some.
      [
        "reports, payments, erasing, retention, days of the funnel, copy of journeys, watch",
        () => Promise.all([conversions, payments, erasing, retention, keptDays, journeyCopy, watch].map((rounds) => rounds.stop())),
      ],
      ["mail", mail.stop],
      ["clock", clock.stop],
      ["stand-in", () => standin?.close()],
      ["site", site.close],
      ["store", store.close],
      ["traces", stopTracing],
    ] as const) {
      try {
        await stop();
      } catch (err) {
        failed = true;
        log.error({ err, part }, "A part did not stop");
      }
    }
    process.exit(failed ? 1 : 0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void end(signal));
}

let settings: Settings | null = null;
try {
  settings = readEnv(process.env);
  await start(settings);
} catch (error) {
  for (const sentence of sentencesOf(error, settings)) process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
