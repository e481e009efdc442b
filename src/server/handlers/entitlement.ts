import type { Handler } from "./shared/handler.ts";

/** "A value containing 0001 means none" (spec 001 §3). */
const noEnd = "0001-01-01T00:00:00.000Z";

/** The account's entitlements, newest first. */
export const entitlement: Handler<"entitlement"> = async ({ actor }, { payments }) => ({
  entitlements: (await payments.entitlementsOf(actor.accountUuid)).map(({ status, end }) => ({
    status,
    end: end === null ? noEnd : new Date(end).toISOString(),
  })),
});
