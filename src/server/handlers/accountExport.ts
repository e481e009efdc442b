import { record } from "../accounts/audit.ts";
import { exportOf } from "../accounts/personalData.ts";
import { type Handler, refuse } from "../handler.ts";

/** Everything stored about the account. */
export const accountExport: Handler<"accountExport"> = async ({ actor: { accountUuid } }, { store, world }) => {
  const data = await exportOf(store.read, accountUuid);
  if (!data) return refuse(1002);
  await store.write((queries) => record(queries, world, accountUuid, "account exported"));
  return { exportedAt: new Date(world.now()).toISOString(), ...data };
};
