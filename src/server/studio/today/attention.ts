/** Problems that need a person, each with the screen that handles it. */
import type { OutputOf } from "#studio/contract/call.ts";
import type { todayCalls } from "#studio/contract/today.ts";
import { sql } from "kysely";
import { aboutNothing } from "../../mail/attempts.ts";
import type { Queries } from "../../store/schema.ts";
import { isAlertRule } from "../operations/alerts.ts";
import { rules } from "../operations/rules.ts";

type Attention = OutputOf<(typeof todayCalls)["today"]>["attention"];

const dayMs = 24 * 60 * 60_000;
/** A mail that failed this often needs a person. */
const manyAttempts = 3;
const things = (count: number, one: string, many: string) => (count === 1 ? `One ${one}` : `${count} ${many}`);

export async function attentionNow(queries: Queries, now: number): Promise<Attention> {
  const [alerts, mails, mismatches] = await Promise.all([openAlerts(queries), failedMails(queries, now), mismatchedPayments(queries)]);
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

/** Mails that keep failing, and those given up within the last day. */
async function failedMails(queries: Queries, now: number): Promise<Attention> {
  const unsent = queries
    .selectFrom("mail_outbox")
    .select(({ fn }) => [fn.countAll().as("n"), fn.min("created_at").as("since")])
    .where("sent_at", "is", null);
  // Two queries, because each has an index of its own: one query for both read all mails that were ever sent.
  const found = await Promise.all([
    unsent.where("next_attempt_at", "is not", null).where("attempts", ">=", manyAttempts).executeTakeFirstOrThrow(),
    unsent
      .where("next_attempt_at", "is", null)
      .where("created_at", ">", now - dayMs)
      .where("error", "!=", aboutNothing)
      .executeTakeFirstOrThrow(),
  ]);
  const count = found.reduce((sum, { n }) => sum + Number(n), 0);
  if (count === 0) return [];
  const title = `${things(count, "mail", "mails")} could not be sent`;
  const since = Math.min(...found.flatMap(({ since: at }) => (at === null ? [] : Number(at))));
  return [{ title, says: "Given up, or tried three times or more.", since, path: "/operations" }];
}

async function mismatchedPayments(queries: Queries): Promise<Attention> {
  const row = await queries
    .selectFrom("payment_mismatches")
    .select(sql<number | string>`COUNT(*)`.as("n"))
    .where("settled_at", "is", null)
    .executeTakeFirstOrThrow();
  const count = Number(row.n);
  if (count === 0) return [];
  const title = `${things(count, "payment differs from its order", "payments differ from their orders")}`;
  return [{ title, says: "The amount or the currency is not what was ordered.", since: null, path: "/money" }];
}
