/** The gauges that monitoring reads from a process. Each name is also in ops/ and docs/runbook.md (test/ops.test.ts). */
import { sql } from "kysely";
import { statfs } from "node:fs/promises";
import type { Services } from "./handlers/shared/services.ts";
import type { Metrics } from "./metrics.ts";
import { countMismatches } from "./payments/mismatches.ts";
import { knownUntil } from "./studio/funnel/counting.ts";
import { boxWaits } from "./studio/operations/boxes.ts";

const second = 1_000;

export function registerGauges(metrics: Metrics, { store, settings, accounts, world }: Services): void {
  metrics.gauge("parlando_password_hashes", "Password hashes running and waiting", accounts.passwords.load);
  metrics.gauge("parlando_mails_waiting", "Unsent mails in the outbox", async () => {
    const row = await store.read
      .selectFrom("mail_outbox")
      .select((q) => q.fn.countAll().as("n"))
      .where("next_attempt_at", "is not", null)
      .executeTakeFirst();
    return Number(row?.n ?? 0);
  });
  metrics.gauge("parlando_payment_mismatches", "Payments that do not match their order and that no operator has settled", () =>
    countMismatches(store),
  );
  // Both gauges share one query.
  let looking: ReturnType<typeof boxWaits> | null = null;
  const waits = () => (looking ??= boxWaits(store.read).finally(() => (looking = null)));
  metrics.gauges("parlando_outbox_waiting", "Entries waiting in each outbox, and webhooks waiting to be applied", "box", async () =>
    Object.fromEntries((await waits()).map(({ box, waiting }) => [box, waiting])),
  );
  metrics.gauges("parlando_outbox_oldest_seconds", "Age of the oldest waiting entry; for webhooks, their lag", "box", async () =>
    Object.fromEntries((await waits()).map(({ box, oldest }) => [box, oldest === null ? 0 : Math.max(0, world.now() - oldest) / second])),
  );
  metrics.gauge("parlando_database_up", "Whether the database answers this process", () =>
    sql`SELECT 1`.execute(store.read).then(
      () => 1,
      () => 0,
    ),
  );
  if (store.standby !== undefined)
    metrics.gauge("parlando_standby_lag_seconds", "How far the standby of REPORT_DATABASE_URL lags; -1 when it does not answer", () =>
      knownUntil(store, world.now()).then(
        (known) => Math.max(0, world.now() - known) / second,
        () => -1,
      ),
    );
  metrics.gauges(
    "parlando_database_connections",
    "Connections of the pool; waiting counts queries without a connection",
    "state",
    async () => ({
      ...store.connections?.(),
    }),
  );
  metrics.gauge("parlando_disk_free_bytes", "Free space on the disk of DATA_DIR", async () => {
    const { bavail, bsize } = await statfs(settings.dataDir);
    return bavail * bsize;
  });
}
