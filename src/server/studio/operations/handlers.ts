/** Handlers of the calls in `studio/contract/operations.ts`. */
import { isAlertTarget } from "./alertTarget.ts";
import { dayOf } from "#core/questionnaire/calendar.ts";
import { mayAs } from "#studio/contract/call.ts";
import { funnelCalls } from "#studio/contract/funnel.ts";
import type { operationsCalls } from "#studio/contract/operations.ts";
import { peopleCalls } from "#studio/contract/people.ts";
import { refuse } from "../../base/refusal.ts";
import { recordAction } from "../audit.ts";
import { runCount } from "../funnel/counting.ts";
import type { Operator, StudioHandlers } from "../handler.ts";
import { rulesNow } from "./alerts.ts";
import { entriesOf, entryWhole, makeDue } from "./boxes.ts";
import { alertHistory } from "./history.ts";
import { overview } from "./overview.ts";

const day = 24 * 60 * 60_000;
const alertsListed = 200;
const secretBytes = 32;

/** The origin only, because the full address of a webhook is often a credential. */
const originOf = (target: string | null): string | null => (target === null ? null : `${new URL(target).origin}/…`);

const seesPeople = ({ role }: Operator) => mayAs(role, peopleCalls.person.role);

export const operationsHandlers: StudioHandlers<typeof operationsCalls> = {
  operations: async ({ operator }, services) => overview(services, seesPeople(operator)),

  outbox: async ({ input }, { store, world }) => entriesOf(store.read, world.now(), input),

  outboxEntry: async ({ input: { box, id } }, { store, world }) =>
    (await entryWhole(store.read, world.now(), box, id)) ?? refuse("notFound"),

  outboxRetry: async ({ input: { box, id, reason }, operator }, { store, world, mail, payments }) => {
    const before = await entryWhole(store.read, world.now(), box, id);
    if (before === null) return refuse("notFound");
    const retried = await store.write(async (queries) => {
      const due = await makeDue(queries, world.now(), box, id);
      if (due)
        await recordAction(queries, world, {
          operator,
          action: "tried again",
          // A mail's recipient is personal data.
          subject: `${box} ${box === "mail" ? before.id : before.subject}`,
          ...(before.person === null ? {} : { accountUuid: before.person }),
          before: { kind: before.kind, attempts: before.attempts, error: before.error },
          reason,
        });
      return due;
    });
    if (retried && box === "mail") mail.wake();
    // Some process claims and processes them as usual.
    if (retried && box === "webhooks") await payments.applyStored();
    if (retried && box === "duties") await payments.carryOut();
    return { retried };
  },

  clientErrors: async ({ input: { days }, operator }, { store, world }) => {
    const causes = await runCount(store, "pageErrors", { since: dayOf(world.now() - (days - 1) * day) });
    return mayAs(operator.role, funnelCalls.funnelVisit.role) ? causes : causes.map((cause) => ({ ...cause, visit: null }));
  },

  alertSettings: async ({ operator }, { store, world }) => {
    const channels = await store.read.selectFrom("alert_channels").select(["name", "target"]).execute();
    const targetOf = (name: string) => channels.find((channel) => channel.name === name)?.target ?? null;
    return {
      rules: await rulesNow(store.read),
      mail: operator.role === "admin" ? targetOf("mail") : (targetOf("mail")?.replace(/^(.).*@/, "$1…@") ?? null),
      webhook: operator.role === "admin" ? targetOf("webhook") : originOf(targetOf("webhook")),
      alerts: await alertHistory(store.read, { now: world.now(), limit: alertsListed, seesPeople: seesPeople(operator) }),
    };
  },

  alertRuleSet: async ({ input: { name, active, threshold, reason }, operator }, { store, world }) => {
    const before = (await rulesNow(store.read)).find((rule) => rule.name === name);
    await store.write(async (queries) => {
      const row = { active: active ? 1 : 0, threshold };
      await queries
        .insertInto("alert_rules")
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
        .execute();
      await recordAction(queries, world, {
        operator,
        action: "alert rule set",
        subject: `rule ${name}`,
        before: { active: before?.active, threshold: before?.threshold },
        after: { active, threshold },
        reason,
      });
    });
    return {};
  },

  alertChannelSet: async ({ input: { name, target }, operator }, { store, world, settings }) => {
    if (name === "webhook" && target !== "" && !isAlertTarget(target, settings))
      return refuse("invalidInput", { fields: { target: "validator_url" } });
    const secret = name === "webhook" && target !== "" ? world.randomBytes(secretBytes).toString("base64url") : null;
    await store.write(async (queries) => {
      const before = await queries.deleteFrom("alert_channels").where("name", "=", name).returning("target").executeTakeFirst();
      if (target !== "")
        await queries
          .insertInto("alert_channels")
          .values({ name, target, secret: secret ?? "" })
          .execute();
      await recordAction(queries, world, {
        operator,
        action: "alerts' address set",
        subject: `alerts by ${name}`,
        before: { target: before?.target ?? null },
        after: { target: target === "" ? null : target },
      });
    });
    return { secret };
  },

  alertSeen: async ({ input: { id, note }, operator }, { store, world }) => {
    const found = await store.write(async (queries) => {
      const alert = await queries.selectFrom("alerts").select(["rule", "seen_at"]).where("id", "=", id).executeTakeFirst();
      if (alert === undefined) return false;
      const isFirst = alert.seen_at === null;
      if (isFirst) await queries.updateTable("alerts").set({ seen_by: operator.name, seen_at: world.now() }).where("id", "=", id).execute();
      if (isFirst || note !== undefined)
        await recordAction(queries, world, {
          operator,
          action: isFirst ? "alert seen" : "alert noted",
          subject: `rule ${alert.rule}`,
          after: { alert: id },
          ...(note === undefined ? {} : { reason: note }),
        });
      return true;
    });
    return found ? {} : refuse("notFound");
  },
};
