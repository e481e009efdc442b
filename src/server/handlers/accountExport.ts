import { record } from "../store/audit.ts";
import { exportOf } from "../accounts/personalData.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse, Streamed } from "../base/refusal.ts";

/** Streams everything stored about the account, at the reader's speed. */
export const accountExport: Handler<"accountExport"> = async ({ actor: { accountUuid } }, services) => {
  const { store, world, limits } = services;
  const tooMany = await limits.take("account-export.account", accountUuid);
  if (tooMany) return tooMany;
  const pieces = await exportOf(store.read, accountUuid, world.now(), services);
  if (!pieces) return refuse("invalidAccessToken");
  await store.write((queries) => record(queries, world, accountUuid, "account exported"));
  return new Streamed(pieces);
};
