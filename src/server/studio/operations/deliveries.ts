/** Sends alerts by webhook: signed, claimed before sending, retried with growing delays. */
import { createHmac } from "node:crypto";
import type { World } from "../../base/world.ts";
import type { AlertDeliveriesTable } from "../../store/operationTables.ts";
import type { Store } from "../../store/store.ts";
import { endLongWaits } from "../../store/waits.ts";

const second = 1_000;
const minute = 60 * second;
const answerWithin = 10 * second;
/** Longer than an attempt can take. */
const claimMs = minute;
const retryAfter = [30 * second, 2 * minute, 10 * minute, 60 * minute, 240 * minute] as const;
const longestWaits = [claimMs, claimMs, ...retryAfter.slice(1)] as const;
const batch = 20;

/** `t=<ms since 1970>,v1=<HMAC-SHA256 in hex of the time, a dot and the body>` */
export function signatureOf(secret: string, at: number, body: string): string {
  return `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")}`;
}

export interface DeliveryParts {
  readonly store: Store;
  readonly world: Pick<World, "now">;
  readonly fetch: typeof fetch;
  readonly log: { readonly warn: (details: object, message: string) => void };
}

export async function deliverDue(parts: DeliveryParts): Promise<void> {
  const { store, world } = parts;
  await endLongWaits(store, world.now(), "alert_deliveries", longestWaits);
  const channel = await store.read.selectFrom("alert_channels").selectAll().where("name", "=", "webhook").executeTakeFirst();
  if (channel === undefined) return;
  const due = await store.read
    .selectFrom("alert_deliveries")
    .selectAll()
    .where("next_attempt_at", "<=", world.now())
    .orderBy("created_at")
    .limit(batch)
    .execute();
  // Heartbeats wait for this, so a receiver that hangs is asked once in a round.
  for (const row of due) if (!(await deliver(parts, row, channel))) return;
}

/** Returns whether the receiver answers. */
async function deliver(
  { store, world, fetch: send, log }: DeliveryParts,
  row: AlertDeliveriesTable,
  { target, secret }: { readonly target: string; readonly secret: string },
): Promise<boolean> {
  const attempts = row.attempts + 1;
  const change = (changes: Partial<AlertDeliveriesTable>, ofAttempt: number) =>
    store.write((queries) =>
      queries.updateTable("alert_deliveries").set(changes).where("id", "=", row.id).where("attempts", "=", ofAttempt).executeTakeFirst(),
    );
  const claimed = await change({ attempts, next_attempt_at: world.now() + claimMs }, row.attempts);
  if (claimed.numUpdatedRows === 0n) return true;
  const problem = await problemOf(send, target, { id: row.id, body: row.body, signature: signatureOf(secret, world.now(), row.body) });
  if (problem === null) {
    await change({ sent_at: world.now(), next_attempt_at: null, error: null }, attempts);
    return true;
  }
  const wait = retryAfter[row.attempts];
  await change({ next_attempt_at: wait === undefined ? null : world.now() + wait, error: problem }, attempts);
  log.warn({ delivery: row.id, problem, attempts }, "An alert could not be sent by webhook");
  return false;
}

async function problemOf(
  send: typeof fetch,
  target: string,
  { id, body, signature }: { readonly id: string; readonly body: string; readonly signature: string },
): Promise<string | null> {
  try {
    const response = await send(target, {
      method: "POST",
      redirect: "error",
      headers: { "content-type": "application/json", "parlando-signature": signature, "parlando-delivery": id },
      body,
      signal: AbortSignal.timeout(answerWithin),
    });
    await response.body?.cancel();
    return response.ok ? null : `It answered ${response.status}`;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).slice(0, 300);
  }
}
