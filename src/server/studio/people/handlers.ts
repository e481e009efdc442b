/** Handlers of the calls in `studio/contract/people.ts`. */
import type { peopleCalls } from "#studio/contract/people.ts";
import { isLocale } from "#core/locales.ts";
import { refuse } from "../../base/refusal.ts";
import type { StudioHandlers } from "../handler.ts";
import { peopleActions } from "./actions.ts";
import { findPeople } from "./find.ts";
import { mailOf } from "./mails.ts";
import { accountOf, personPage } from "./person.ts";

export const peopleHandlers: StudioHandlers<typeof peopleCalls> = {
  people: ({ input }, { store, payments }) => findPeople({ queries: store.read, dialect: store.dialect, payments }, input),

  person: async ({ input }, services) => {
    const account = await accountOf(services.store.read, input.uuid);
    return account ? personPage(services, account) : refuse("notFound");
  },

  personMail: async ({ input }, { store, mail }) => {
    const row = (await accountOf(store.read, input.uuid)) && (await mailOf(store.read, input.uuid, input.mail));
    const rendered = row ? await mail.covered(row) : null;
    if (!row || rendered === null) return refuse("notFound");
    const { subject, html, text } = rendered;
    const locale = isLocale(row.locale) ? row.locale : "es-419";
    return { subject, html, text, locale, recipient: row.recipient, createdAt: row.created_at, sentAt: row.sent_at };
  },

  ...peopleActions,
};
