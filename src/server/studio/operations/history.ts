/** The alerts of the past, and what operators did about each. */
import type { OutputOf } from "#studio/contract/call.ts";
import type { AlertRuleName, operationsCalls } from "#studio/contract/operations.ts";
import type { OperatorAuditTable } from "../../store/operatorTables.ts";
import type { Queries } from "../../store/schema.ts";
import { alertsOf } from "./overview.ts";

type History = OutputOf<(typeof operationsCalls)["alertSettings"]>["alerts"];
type Alert = Omit<History[number], "done">;

/** The actions that answer an alert of each rule, by the beginning of their subject. All others are answered by its own notes and settings. */
const answers: Partial<Record<AlertRuleName, Readonly<Record<string, string>>>> = {
  "webhooks-fail": { "tried again": "webhooks " },
  "mail-waits": { "tried again": "mail " },
  "duties-wait": { "tried again": "duties " },
  "page-errors": { "weights set": "" },
  "money-differs": { "provider's state taken": "", "compared with the provider": "" },
};
const ownActions: readonly string[] = ["alert seen", "alert noted", "alert rule set"];
const mostActions = 2_000;

type Row = Pick<OperatorAuditTable, "at" | "operator_name" | "action" | "subject" | "after_values" | "reason">;

interface Reader {
  readonly now: number;
  readonly limit: number;
  /** Whether the operator's role may see people: the reason of an action about one may name them. */
  readonly seesPeople: boolean;
}

export async function alertHistory(queries: Queries, { now, limit, seesPeople }: Reader): Promise<History> {
  const alerts = await alertsOf(queries, limit);
  if (alerts.length === 0) return [];
  const actions = new Set([...ownActions, ...Object.values(answers).flatMap((of) => Object.keys(of))]);
  const rows = await queries
    .selectFrom("operator_audit")
    .select(["at", "operator_name", "action", "subject", "after_values", "reason"])
    .where("at", ">=", Math.min(...alerts.map(({ beganAt }) => beganAt)))
    .where("action", "in", [...actions])
    .orderBy("at")
    .limit(mostActions)
    .execute();
  return alerts.map((alert) => ({
    ...alert,
    done: rows
      .filter((row) => isAbout(row, alert, now))
      .map(({ at, operator_name: operator, action, reason }) => ({
        at: Number(at),
        operator,
        action,
        reason: seesPeople || ownActions.includes(action) ? reason : null,
      })),
  }));
}

/** Notes name their alert, also after its end. Other actions count while it lasts. */
function isAbout({ at, action, subject, after_values: after }: Row, { id, rule, beganAt, endedAt }: Alert, now: number): boolean {
  if (action === "alert seen" || action === "alert noted") return after?.includes(id) === true;
  if (Number(at) < beganAt || Number(at) > (endedAt ?? now)) return false;
  if (ownActions.includes(action)) return subject === `rule ${rule}`;
  const begins = answers[rule]?.[action];
  return begins !== undefined && subject.startsWith(begins);
}
