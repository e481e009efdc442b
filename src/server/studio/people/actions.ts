/** Actions for a visitor: the same functions as the visitor's own calls, with an audit row in the same write. */
import type { peopleCalls } from "#studio/contract/people.ts";
import { exportOf } from "../../accounts/personalData.ts";
import { isTaken, lockedAccount } from "../../accounts/emailChanges.ts";
import { Refusal, refuse, Streamed } from "../../base/refusal.ts";
import { countRequestedMail } from "../../handlers/shared/requestedMail.ts";
import { queueLinkMail } from "../../handlers/shared/mailedLink.ts";
import { needsConfirmation, changeAddress } from "../../handlers/shared/newAddress.ts";
import type { Services } from "../../handlers/shared/services.ts";
import { floodableMailboxOf } from "../../payments/mailboxes.ts";
import { ProviderFailure } from "../../payments/provider.ts";
import { record } from "../../store/audit.ts";
import type { Queries } from "../../store/schema.ts";
import { inOneSpelling } from "../../store/spelling.ts";
import { isUniqueViolation } from "../../store/store.ts";
import { type Action, recordAction } from "../audit.ts";
import type { Operator, StudioHandlers } from "../handler.ts";
import { canSendAgain, mailOf, sendAgain } from "./mails.ts";
import { accountOf } from "./person.ts";

type Calls = typeof peopleCalls;
type Actions = Omit<Calls, "people" | "person" | "personMail">;

interface Asked {
  readonly operator: Operator;
  readonly input: { readonly uuid: string; readonly reason: string };
}

/** Writes the audit row of an action. */
const noteOf =
  ({ world }: Pick<Services, "world">, { operator, input }: Asked, action: string, more: Pick<Action, "before" | "after"> = {}) =>
  (queries: Queries) =>
    recordAction(queries, world, {
      operator,
      action,
      // Erasing the account empties this column.
      subject: "a person",
      accountUuid: input.uuid,
      reason: input.reason,
      ...more,
    });

const mailActions: StudioHandlers<Pick<Actions, "mailResend" | "loginLinkSend">> = {
  mailResend: async (call, services) => {
    const { input, operator } = call;
    const { store, mail } = services;
    const account = await accountOf(store.read, input.uuid);
    const row = account && (await mailOf(store.read, input.uuid, input.mail));
    if (!account || !row) return refuse("notFound");
    if (!canSendAgain(row)) return refuse("invalidInput");
    const tooMany = await countRequestedMail(services, account);
    if (tooMany) return tooMany;
    await store.write(async (queries) => {
      await sendAgain(queries, services, account, row, `operator ${operator.id}`);
      await noteOf(services, call, "mail sent again", { after: { mail: row.template } })(queries);
    });
    mail.wake();
    return {};
  },

  loginLinkSend: async (call, services) => {
    const { input, operator } = call;
    const { store, world, accounts, mail } = services;
    const account = await accountOf(store.read, input.uuid);
    if (!account) return refuse("notFound");
    const tooMany = await countRequestedMail(services, account);
    if (tooMany) return tooMany;
    await store.write(async (queries) => {
      const link = {
        purpose: "login",
        template: "loginLink",
        data: { target: null, discount: null },
        askedBy: `operator ${operator.id}`,
      } as const;
      await queueLinkMail(queries, { world, links: accounts.links }, account, link);
      await noteOf(services, call, "login link sent")(queries);
    });
    mail.wake();
    return {};
  },
};

const planActions: StudioHandlers<Pick<Actions, "paymentRefund" | "planChange" | "daysGive">> = {
  paymentRefund: async (call, services) => {
    const { uuid, transaction, amount, id, andEnd } = call.input;
    const { read } = services.store;
    if (!(await accountOf(read, uuid))) return refuse("notFound");
    const paid = await read.selectFrom("money_entries").select("currency").where("transaction_id", "=", transaction).executeTakeFirst();
    const back = amount === null ? { amount: "all that is left" } : { amount, currency: paid?.currency };
    const note = noteOf(services, call, "payment refunded", { after: { transaction, ...back, andEnd } });
    const answer = await services.payments.refundPayment({ accountUuid: uuid, transactionId: transaction, amount, id, andEnd }, note);
    if (answer === "begun" || answer === "known") return {};
    return answer === "no such payment" ? refuse("notFound") : refuse("newerExists", { fields: { amount: answer } });
  },

  planChange: async (call, services) => {
    const { uuid, action } = call.input;
    if (!(await accountOf(services.store.read, uuid))) return refuse("notFound");
    const words = { cancel: "plan cancelled", pause: "plan paused", resume: "plan resumed", keep: "plan kept" };
    try {
      const plan = await services.payments.changePlan(uuid, action, noteOf(services, call, words[action]));
      return plan === null ? refuse("notSold") : {};
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      call.log.warn({ err: error, kind: error.kind }, "The payment provider did not change a subscription for an operator.");
      // Rows are append-only, so a failure adds a second row.
      await services.store.write(noteOf(services, call, `${words[action]}: the provider did not`));
      return refuse("providerFailed");
    }
  },

  daysGive: async (call, services) => {
    const { uuid, days, id } = call.input;
    if (!(await accountOf(services.store.read, uuid))) return refuse("notFound");
    const answer = await services.payments.grantDays(uuid, { id, days }, noteOf(services, call, "days given", { after: { days } }));
    if (answer === "no plan") return refuse("notSold");
    if (answer === "too many") return refuse("invalidInput", { fields: { days: answer } });
    return answer === "another's" ? refuse("invalidInput", { fields: { id: answer } }) : {};
  },
};

const accountActions: StudioHandlers<Pick<Actions, "sessionsEnd" | "addressCorrect" | "personExport" | "personErase">> = {
  sessionsEnd: async (call, services) => {
    const { store, accounts } = services;
    const { uuid } = call.input;
    if (!(await accountOf(store.read, uuid))) return refuse("notFound");
    await store.write(async (queries) => {
      await accounts.sessions.endAll(queries, uuid, "operator");
      await noteOf(services, call, "logged out everywhere")(queries);
    });
    return {};
  },

  addressCorrect: async (call, services) => {
    const { store, world, limits, mail } = services;
    const { uuid: accountUuid } = call.input;
    const email = inOneSpelling(call.input.email);
    const account = await accountOf(store.read, accountUuid);
    if (!account) return refuse("notFound");
    // Checked before counting, so that a refused request does not use up the owner's mails.
    if (await isTaken(store.read, world, email, accountUuid)) return refuse("emailTaken");
    const stays = await needsConfirmation(store.read, account);
    // Whoever confirms the new mailbox can log in.
    if (stays && call.operator.role !== "admin") return refuse("forbidden");
    const tooMany =
      (await limits.take("update-email.email", floodableMailboxOf(email))) ??
      (stays ? null : await countRequestedMail(services, { ...account, email }));
    if (tooMany) return tooMany;
    const mailsOldAddress = stays || (await countRequestedMail(services, account)) === null;
    try {
      const answer = await store.write(async (queries) => {
        // An order may have been made since the check above.
        const locked = await lockedAccount(queries, world, accountUuid);
        if (locked && call.operator.role !== "admin" && (await needsConfirmation(queries, locked))) return refuse("forbidden");
        const taken = await changeAddress(
          queries,
          services,
          { accountUuid, sessionId: "", email },
          { proof: "owner", mailsOldAddress, byOperator: true },
        );
        // Addresses are not kept in the audit: it outlives the account.
        if (!(taken instanceof Refusal))
          await noteOf(services, call, taken.pending ? "address change begun" : "address corrected")(queries);
        return taken;
      });
      mail.wake();
      return answer;
    } catch (error) {
      if (isUniqueViolation(error)) return refuse("emailTaken");
      throw error;
    }
  },

  personExport: async (call, services) => {
    const { store, world } = services;
    const { uuid } = call.input;
    const pieces = await exportOf(store.read, uuid, world.now(), services);
    if (!pieces) return refuse("notFound");
    await store.write(async (queries) => {
      await record(queries, world, uuid, "account exported");
      await noteOf(services, call, "account exported")(queries);
    });
    return new Streamed(pieces);
  },

  personErase: async (call, services) => {
    const { store, world, erasing, accounts } = services;
    const { uuid, email, reason } = call.input;
    const account = await accountOf(store.read, uuid);
    if (!account) return refuse("notFound");
    if (inOneSpelling(email) !== account.email) return refuse("invalidInput", { fields: { email: "validator_unchanged" } });
    const begun = await store.write(async (queries) => {
      if ((await erasing.begin(queries, uuid)) === null) return null;
      await record(queries, world, null, "account erased");
      // The row names nobody, because erased visitors leave the audit too.
      await recordAction(queries, world, { operator: call.operator, action: "account erased", subject: "an account", reason });
      return "begun";
    });
    accounts.sessions.forget(uuid);
    if (begun === null) return refuse("notFound");
    erasing.wake();
    return {};
  },
};

export const peopleActions: StudioHandlers<Actions> = { ...mailActions, ...planActions, ...accountActions };
