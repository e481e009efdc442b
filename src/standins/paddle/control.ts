/** The developer's page: what subscriptions, payments and the service itself should do. */
import { formatsFor } from "#core/formats.ts";
import type { FastifyInstance } from "fastify";
import * as v from "valibot";
import type { Billing } from "./billing.ts";
import { testCards } from "./billing/cards.ts";
import { periodEnd } from "./billing/periods.ts";
import { runControl } from "./browser/control.ts";
import { isMode, modes, type ModeSwitch, type StandinMode } from "./health.ts";
import { controlPage, type ProviderName } from "./page.ts";
import { sendPage, sendScript } from "./replies.ts";

const control = v.object({
  id: v.optional(v.string(), ""),
  provider: v.optional(v.picklist(["billing", "classic"]), "billing"),
  mode: v.optional(
    v.pipe(
      v.string(),
      v.check(isMode),
      v.custom<StandinMode>((value) => typeof value === "string" && isMode(value)),
    ),
  ),
  type: v.optional(v.picklist(["full", "partial"]), "full"),
});

/** A year's renewals, or fewer if the subscription ends. */
function renewYear(engine: Billing, id: string) {
  const start = engine.getSubscription(id);
  const until = periodEnd(start.scheduled_change?.effective_at ?? start.next_billed_at ?? new Date().toISOString(), "month", 12);
  for (;;) {
    const subscription = engine.getSubscription(id);
    const due = subscription.scheduled_change?.effective_at ?? subscription.next_billed_at;
    if (due == null || due >= until || subscription.status === "past_due") return subscription;
    engine.renew(id);
  }
}

type Action = (engine: Billing, input: v.InferOutput<typeof control>) => unknown;
const actionsOf = ({ mode, setMode }: ModeSwitch): Readonly<Record<string, Action>> => ({
  mode: (_engine, input) => {
    setMode(input.mode ?? "ok");
    return { mode: mode() };
  },
  renew: (engine, { id }) => engine.renew(id),
  year: (engine, { id }) => renewYear(engine, id),
  recover: (engine, { id }) => engine.recover(id),
  pause: (engine, { id }) => engine.pause(id, true),
  resume: (engine, { id }) => engine.resume(id),
  cancel: (engine, { id }) => engine.cancel(id, false),
  refund: (engine, { id, type }) => engine.adjust(id, "refund", type),
  chargeback: (engine, { id }) => engine.adjust(id, "chargeback", "full"),
  "chargeback-reverse": (engine, { id }) => engine.adjust(id, "chargeback_reverse", "full"),
});

const shownSubscriptions = (provider: ProviderName, engine: Billing) =>
  engine.subscriptions().map((one) => ({
    provider,
    id: one.id,
    name: one.items[0]?.price.name ?? "",
    status: one.status,
    next: one.next_billed_at ?? null,
    planned: one.scheduled_change ? `${one.scheduled_change.action} on ${one.scheduled_change.effective_at.slice(0, 10)}` : null,
  }));

const shownTransactions = (provider: ProviderName, engine: Billing) =>
  engine
    .transactions()
    .slice(-50)
    .toReversed()
    .map((one) => ({
      provider,
      id: one.id,
      status: one.status,
      total: formatsFor("en-US").money(Number(one.details?.totals?.grand_total ?? "0"), one.currency_code),
    }));

interface Engines {
  readonly billing: Billing;
  readonly classic: Billing | null;
}

/** @param base the stand-in's path */
export function controlRoutes(site: FastifyInstance, base: string, modeSwitch: ModeSwitch, { billing, classic }: Engines): void {
  const both = [["billing", billing] as const, ...(classic === null ? [] : [["classic", classic] as const])];
  const actions = actionsOf(modeSwitch);
  site.get("/control.js", async (_request, reply) => sendScript(reply, `(${runControl})();`));
  site.get("/", async (_request, reply) =>
    sendPage(
      reply,
      controlPage(base, {
        mode: modeSwitch.mode(),
        modes: Object.entries(modes),
        cards: testCards,
        subscriptions: both.flatMap(([provider, engine]) => shownSubscriptions(provider, engine)),
        transactions: both.flatMap(([provider, engine]) => shownTransactions(provider, engine)),
      }),
    ),
  );
  site.post("/control/:action", async (request, reply) => {
    const { action } = v.parse(v.object({ action: v.string() }), request.params);
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (run === undefined) return reply.code(404).send({});
    const input = v.parse(control, request.body ?? {});
    return reply.send(run((input.provider === "classic" ? classic : null) ?? billing, input));
  });
}
