import { dayOf, isTimeZone } from "#core/questionnaire/calendar.ts";
import type { Call, Handler } from "./shared/handler.ts";
import type { Services } from "./shared/services.ts";
import { inConstantTime } from "../base/constantTime.ts";
import { refuse } from "../base/refusal.ts";
import { siteOf } from "../base/visitor.ts";
import { queueMail } from "../mail/outbox.ts";
import { floodableMailboxOf } from "../payments/mailboxes.ts";
import { ownerOf, senderOf } from "../payments/notices.ts";

/** The latest end of a contract that a notice may ask for: two years ahead, in every time zone. */
const furthestMs = 732 * 86_400_000;

/**
 * Stores a notice that ends a contract and confirms its receipt by mail. Sender and contract are not checked yet: neither the answer, its time nor
 * the mail reveals whether there is such a contract. The notice is processed after the answer.
 */
export const contractNotice: Handler<"contractNotice"> = async (call, services) => {
  const { body } = call;
  const latest = dayOf(services.world.now() + furthestMs);
  // The schema checks the digits only.
  if (body.notBefore != null && dayOf(Date.parse(body.notBefore)) !== body.notBefore)
    return refuse("invalidInput", { fields: { notBefore: "no such day" } });
  if (body.notBefore != null && body.notBefore > latest) return refuse("invalidInput", { fields: { notBefore: `at most ${latest}` } });
  return inConstantTime(services.world, keep(call, services));
};

type Notice = Pick<Call<"contractNotice">, "body" | "network" | "knownAs">;

/** Whether a notice's confirmation may be mailed. An owner who names an order, or sends it from a device of theirs, has a share of their own. */
async function mayConfirm({ body, network, knownAs }: Notice, { store, limits }: Services): Promise<boolean> {
  const sender = await senderOf(store.read, body);
  const isOwner =
    sender !== null && (sender.namesOrder || (sender.account.email_confirmed_at !== null && knownAs(sender.account) !== null));
  if (isOwner) return (await limits.take("contract-notice.owner", sender.account.uuid)) === null;
  const mailbox = floodableMailboxOf(body.email);
  return (
    (await limits.take("contract-notice.asker", `${mailbox} ${siteOf(network)}`)) === null &&
    (await limits.take("contract-notice.mail", mailbox)) === null
  );
}

async function keep(call: Notice, services: Services) {
  const { store, world, mail, payments } = services;
  const { body } = call;
  const { id, kind, email, name, contract, language, timeZone, forCause, reason, notBefore } = body;
  const zone = timeZone !== undefined && isTimeZone(timeZone) ? timeZone : null;
  const mayMail = await mayConfirm(call, services);
  const receivedAt = await store.write(async (queries) => {
    const accountUuid = ownerOf(await senderOf(queries, body));
    const now = world.now();
    const { numInsertedOrUpdatedRows: added } = await queries
      .insertInto("contract_notices")
      .values({
        id,
        kind,
        received_at: now,
        locale: language,
        time_zone: zone,
        account_uuid: accountUuid,
        email,
        name,
        contract,
        for_cause: forCause ? 1 : 0,
        reason: reason ?? null,
        not_before: notBefore ?? null,
        state: "due",
        attempts: 0,
        next_attempt_at: now,
        done_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    const kept = queries.selectFrom("contract_notices").select("received_at").where("id", "=", id);
    if (added === 0n) return (await kept.executeTakeFirstOrThrow()).received_at;
    const data = {
      kind,
      id,
      at: now,
      timeZone: zone ?? "UTC",
      name,
      contract,
      email,
      forCause,
      reason: reason ?? null,
      notBefore: notBefore ?? null,
    };
    if (mayMail)
      await queueMail(queries, world, {
        accountUuid,
        template: "contractNotice",
        locale: language,
        recipient: email,
        data,
      });
    return now;
  });
  mail.wake();
  payments.endContracts();
  return { at: new Date(receivedAt).toISOString() };
}
