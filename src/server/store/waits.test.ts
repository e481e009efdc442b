/** The clocks of two processes agree only to a few milliseconds. A process may take over another's claim only after it has expired. */
import { takeLease } from "#server/store/lease.ts";
import { deliverDue } from "#server/studio/operations/deliveries.ts";
import { createTestStore, databases } from "#test/app.ts";
import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";

const minute = 60_000;
const day = 24 * 60 * minute;
const claimMs = minute;

describe.each(databases)("by a clock that is 20 ms behind, on %s", (kind) => {
  it("an alert that another process is sending is not sent again, but one claimed before the clock was set back is", async () => {
    const store = await createTestStore(kind);
    onTestFinished(store.close);
    let now = Date.now();
    const row = {
      id: randomUUID(),
      body: "{}",
      created_at: now,
      attempts: 1,
      next_attempt_at: now + 20 + claimMs,
      sent_at: null,
      error: null,
    };
    await store.write(async (queries) => {
      await queries.insertInto("alert_channels").values({ name: "webhook", target: "https://alerts.example", secret: "s" }).execute();
      await queries.insertInto("alert_deliveries").values(row).execute();
    });
    const send = vi.fn<typeof fetch>(async () => new Response());
    const deliver = () => deliverDue({ store, world: { now: () => now }, fetch: send, log: { warn: () => {} } });
    await deliver();
    expect(send).not.toHaveBeenCalled();
    now -= day;
    await deliver();
    expect(send).toHaveBeenCalledOnce();
  });

  it("a lease that another process holds is not taken, but one from before the clock was set back is", async () => {
    const store = await createTestStore(kind);
    onTestFinished(store.close);
    let now = Date.now();
    const lease = (ahead: number) => takeLease({ store, world: { now: () => now + ahead, uuid: randomUUID } }, "a task", 10 * minute);
    expect(await lease(20)).not.toBeNull();
    expect(await lease(0)).toBeNull();
    now -= day;
    expect(await lease(0)).not.toBeNull();
  });
});
