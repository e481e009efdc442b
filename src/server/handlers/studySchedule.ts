import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** Stores the account's chosen study schedule and days. The latest choice counts. */
export const studySchedule: Handler<"studySchedule"> = async ({ body, actor }, { store, world }) => {
  if (body.uuid !== actor.accountUuid) return refuse("forbidden");
  const row = {
    schedule_id: body.id,
    months: body.months,
    practise_days_per_week: body.practiseDaysPerWeek,
    minutes_per_session: body.minutesPerSession,
    days: JSON.stringify([...new Set(body.days)].toSorted()),
    saved_at: world.now(),
  };
  await store.write((queries) =>
    queries
      .insertInto("study_schedules")
      .values({ account_uuid: actor.accountUuid, ...row })
      .onConflict((conflict) => conflict.column("account_uuid").doUpdateSet(row))
      .execute(),
  );
  return {};
};
