/** Evaluates the alert rules. Sends each start and end of an alert once, by mail and by webhook. */
import { type AlertRuleName, alertRuleNames } from "#studio/contract/operations.ts";
import type { World } from "../../base/world.ts";
import { queueMail } from "../../mail/outbox.ts";
import type { AlertsTable } from "../../store/operationTables.ts";
import type { Queries } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { rules } from "./rules.ts";

export interface AlertParts {
  readonly store: Store;
  readonly world: World;
  /** Called after rows were added to the mail outbox. */
  readonly onMail: () => void;
}

export const isAlertRule = (name: string): name is AlertRuleName => Object.hasOwn(rules, name);

/** The rules with an operator's settings, else the defaults. */
export async function rulesNow(queries: Queries) {
  const set = new Map((await queries.selectFrom("alert_rules").selectAll().execute()).map((row) => [row.name, row]));
  return alertRuleNames.map((name) => {
    const { title, sentence, usual } = rules[name];
    const own = set.get(name);
    return { name, title, sentence, usual, active: own === undefined || own.active === 1, threshold: Number(own?.threshold ?? usual) };
  });
}

/** One process at a time runs this (watch.ts). If a lease has expired, the unique open row still prevents duplicates. */
export async function evaluateRules({ store, world, onMail }: AlertParts): Promise<void> {
  const open = new Set(
    (await store.read.selectFrom("alerts").select("rule").where("ended_at", "is", null).execute()).map(({ rule }) => rule),
  );
  for (const { name, active, threshold } of await rulesNow(store.read)) {
    const says = active ? await rules[name].look(store.read, world.now(), threshold) : null;
    if ((says !== null) === open.has(name)) continue;
    const told = await store.write((queries) => (says === null ? end(queries, world, name) : begin(queries, world, name, says)));
    if (told) onMail();
  }
}

async function begin(queries: Queries, world: World, rule: AlertRuleName, says: string): Promise<boolean> {
  const alert = await queries
    .insertInto("alerts")
    .values({ id: world.uuid(), rule, says, began_at: world.now(), ended_at: null, seen_by: null, seen_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (alert === undefined) return false;
  await queueMessages(queries, world, alert);
  return true;
}

async function end(queries: Queries, world: World, rule: AlertRuleName): Promise<boolean> {
  const alert = await queries
    .updateTable("alerts")
    .set({ ended_at: world.now() })
    .where("rule", "=", rule)
    .where("ended_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (alert === undefined) return false;
  await queueMessages(queries, world, alert);
  return true;
}

/** Queues the messages within the write that starts or ends the alert. */
async function queueMessages(queries: Queries, world: World, alert: AlertsTable): Promise<void> {
  if (!isAlertRule(alert.rule)) return;
  const began = alert.ended_at === null;
  const at = Number(began ? alert.began_at : alert.ended_at);
  const { title } = rules[alert.rule];
  for (const { name, target } of await queries.selectFrom("alert_channels").selectAll().execute()) {
    if (name === "mail")
      await queueMail(queries, world, {
        accountUuid: null,
        template: "alert",
        locale: "en-US",
        recipient: target,
        data: { rule: title, says: alert.says, began, at },
      });
    else
      await queries
        .insertInto("alert_deliveries")
        .values({
          id: world.uuid(),
          body: JSON.stringify({ alert: alert.id, rule: alert.rule, title, says: alert.says, state: began ? "began" : "ended", at }),
          created_at: world.now(),
          attempts: 0,
          next_attempt_at: world.now(),
          sent_at: null,
          error: null,
        })
        .execute();
  }
}
