/** Problems that need a person, each with the screen that handles it. */
import type { OutputOf } from "#studio/contract/call.ts";
import type { todayCalls } from "#studio/contract/today.ts";
import { sql } from "kysely";
import type { Queries } from "../../store/schema.ts";
import { isAlertRule } from "../operations/alerts.ts";
import { rules } from "../operations/rules.ts";

type Attention = OutputOf<(typeof todayCalls)["today"]>["attention"];

/** A mail that failed this often needs a person. */
const triedOften = 3;
const things = (count: number, one: string, many: string) => (count === 1 ? `One ${one}` : `${count} ${many}`);

export async function attentionNow(queries: Queries): Promise<Attention> {
  const [alerts, mails, mismatches] = await Promise.all([openAlerts(queries), mailsInVain(queries), mismatchedPayments(queries)]);
  return [...alerts, ...mails, ...mismatches];
}

async function openAlerts(queries: Queries): Promise<Attention> {
  const open = await queries
    .selectFrom("alerts")
    .select(["rule", "says", "began_at"])
    .where("ended_at", "is", null)
    .orderBy("began_at", "desc")
    .execute();
  return open.flatMap(({ rule, says, began_at: at }) =>
    isAlertRule(rule)
      ? [
          {
            title: rules[rule].title,
            says,
            since: Number(at),
            path: rule === "money-differs" || rule === "no-payments" ? "/money" : "/operations",
          },
        ]
      : [],
  );
}

async function mailsInVain(queries: Queries): Promise<Attention> {
  const row = await queries
    .selectFrom("mail_outbox")
    .select(({ fn }) => [fn.countAll().as("n"), fn.min("created_at").as("since")])
    .where("sent_at", "is", null)
    .where("attempts", ">=", triedOften)
    .executeTakeFirstOrThrow();
  const count = Number(row.n);
  if (count === 0) return [];
  const title = `${things(count, "mail", "mails")} could not be sent`;
  return [{ title, says: "Tried three times or more.", since: Number(row.since), path: "/operations" }];
}

async function mismatchedPayments(queries: Queries): Promise<Attention> {
  const row = await queries
    .selectFrom("payment_mismatches")
    .select(sql<number | string>`COUNT(*)`.as("n"))
    .executeTakeFirstOrThrow();
  const count = Number(row.n);
  if (count === 0) return [];
  const title = `${things(count, "payment differs from its order", "payments differ from their orders")}`;
  return [{ title, says: "The amount or the currency is not what was ordered.", since: null, path: "/money" }];
}
