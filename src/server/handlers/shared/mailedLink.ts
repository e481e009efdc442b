import type { CodeOf } from "#core/errors.ts";
import { knownLocale } from "#core/locales.ts";
import type { Links } from "../../mail/links.ts";
import type { World } from "../../base/world.ts";
import type { Queries } from "../../store/schema.ts";
import { countRequestedMail } from "./requestedMail.ts";
import { inConstantTime } from "../../base/constantTime.ts";
import type { Call } from "./handler.ts";
import type { Refusal } from "../../base/refusal.ts";
import type { Services } from "./services.ts";
import { floodableMailboxOf } from "../../payments/mailboxes.ts";
import { acceptedLocale } from "../../base/visitor.ts";
import { queueMail } from "../../mail/outbox.ts";

interface LinkMail {
  readonly purpose: "login" | "reset";
  readonly template: "loginLink" | "resetPassword";
  readonly email: string;
  /** Values that the link carries. */
  readonly data: Readonly<Record<string, string | null>>;
}
type Asking = Pick<Call<"loginLink">, "device" | "network" | "headers" | "knownAs">;

const limitsOf = { login: "login-link", reset: "forgot-password" } as const;

/** `many`: so many were asked for that perhaps no mail went out. */
type Asked = Refusal<CodeOf<"tooMany">> | { readonly many?: true };

/**
 * Mails a link if the address has an account, else a mail that there is none. Neither the answer nor its time reveals which. Mails to an
 * address are limited for each device that its account knows, for each network, and for all networks together. Above a limit, another link is mailed
 * only when no earlier one works, so the owner always finds a link; for an unconfirmed address, at most once an hour.
 */
export async function mailLink(services: Services, asking: Asking, mail: LinkMail): Promise<Asked> {
  return inConstantTime(services.world, queueLink(services, asking, mail));
}

/** Makes a link and the mail with it, within the caller's write. */
export async function queueLinkMail(
  queries: Queries,
  { world, links }: { readonly world: World; readonly links: Links },
  account: { readonly uuid: string; readonly email: string; readonly firstname: string | null; readonly locale: string },
  { purpose, template, data, askedBy }: Omit<LinkMail, "email"> & { readonly askedBy: string },
): Promise<void> {
  const linkId = await links.create(queries, purpose, { accountUuid: account.uuid, email: account.email }, askedBy);
  await queueMail(queries, world, {
    accountUuid: account.uuid,
    template,
    locale: knownLocale(account.locale),
    recipient: account.email,
    data: { linkId, firstname: account.firstname, ...data },
  });
}

async function queueLink(
  { store, world, accounts: { links }, mail, limits }: Services,
  { device, network, headers, knownAs }: Asking,
  { purpose, template, email, data }: LinkMail,
): Promise<Asked> {
  const owner = await store.read
    .selectFrom("accounts")
    .select(["uuid", "email", "email_confirmed_at", "trust_epoch"])
    .where("email", "=", email)
    .executeTakeFirst();
  // A device is known after sign-up, but only confirmation proves who owns the mailbox.
  const unconfirmed = owner?.email_confirmed_at === null;
  const known = owner && !unconfirmed ? knownAs(owner) : null;
  const name = limitsOf[purpose];
  const tooMany = known === null ? await limits.take(`${name}.network`, network) : null;
  if (tooMany) return tooMany;
  const asker = `${email} ${known ?? network}`;
  if (await limits.take(`${name}.minute`, asker)) return {};
  const many =
    (await limits.take(`${name}.hour`, asker)) ?? (known === null ? await limits.take(`${name}.email`, floodableMailboxOf(email)) : null);
  // Only these limits count alike for every address. The answer must not depend on the other one.
  const answer = many === null ? {} : ({ many: true } as const);
  const over = many ?? (await countRequestedMail({ limits }, owner ?? { email, email_confirmed_at: null }));

  await store.write(async (queries) => {
    const account = await queries
      .selectFrom("accounts")
      .select(["uuid", "firstname", "locale"])
      .where("email", "=", email)
      .executeTakeFirst();
    if (!account) {
      const locale = acceptedLocale(headers["accept-language"]) ?? "es-419";
      if (!over) await queueMail(queries, world, { accountUuid: null, template: "loginUnknown", locale, recipient: email, data: {} });
      return;
    }
    const linkOwner = { accountUuid: account.uuid, email };
    if (over && (await links.isWaiting(queries, purpose, linkOwner))) return;
    if (over && unconfirmed && (await limits.take("unconfirmed.link", floodableMailboxOf(email)))) return;
    await queueLinkMail(queries, { world, links }, { ...account, email }, { purpose, template, data, askedBy: device ?? network });
  });
  mail.wake();
  return answer;
}
