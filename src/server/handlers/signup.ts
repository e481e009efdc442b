import type { Body } from "#core/api.ts";
import type { CodeOf } from "#core/errors.ts";
import { isHeldBack } from "../accounts/emailChanges.ts";
import { nobody } from "../accounts/erasureSteps.ts";
import type { KnownAccount } from "../accounts/knownDevices.ts";
import { queueMail } from "../mail/outbox.ts";
import { type Busy, busy } from "../accounts/passwords.ts";
import type { Handler } from "./shared/handler.ts";
import { Refusal, refuse } from "../base/refusal.ts";
import { siteOf } from "../base/visitor.ts";
import type { Services } from "./shared/services.ts";
import { floodableMailboxOf } from "../payments/mailboxes.ts";
import type { Queries } from "../store/schema.ts";
import { isUniqueViolation } from "../store/store.ts";

/** Creates an account and queues its confirmation mail. Returns no tokens. */
export const signup: Handler<"signup"> = async ({ body, network, device, remember }, services) => {
  const { limits, visits, store, accounts, mail, settings } = services;
  if (accounts.passwords.isCommon(body.password)) return refuse("invalidInput", { fields: { password: "validator_too_common" } });
  const answer = { backendUrl: settings.backendUrl, user: { uuid: body.uuid } };
  const before = await takenBy(store.read, services, body);
  // Does not count for `signup.email`: on a bad connection one answer after the other may be lost.
  if (before === "email and uuid") {
    const account = await accountOfSamePerson(body, network, services);
    if (account === busy) return refuse("notReady");
    if (account === null) return refuse("emailTaken");
    if (account instanceof Refusal) return account;
    remember(account);
    return answer;
  }

  const mayDespite = async () =>
    (await visits.isKnown(device)) && (await limits.take("signup.visit", `${body.email} ${siteOf(network)}`)) === null;
  const tooMany = await limits.take("signup.email", body.email);
  if (tooMany && !(await mayDespite())) return tooMany;
  const withoutCharge = async (name: "uuidTaken" | "notReady") => {
    await limits.giveBack("signup.email", body.email);
    return refuse(name);
  };
  if (before === "email") return refuse("emailTaken");
  if (before === "uuid") return withoutCharge("uuidTaken");

  const passwordHash = await accounts.passwords.hash(body.password, {
    network,
    as: (await visits.isKnown(device)) ? "visitor" : "sign-up",
  });
  if (passwordHash === busy) return withoutCharge("notReady");
  const trustEpoch = services.world.uuid();
  // Above the limit, only the confirmation mail is left out. Strangers who sign up with spellings of an address thus cannot fill its mailbox or keep
  // its owner from signing up.
  const isMailed = (await limits.take("signup.mail", floodableMailboxOf(body.email))) === null;
  try {
    const heldBack = await store.write(async (queries) => {
      if (await isHeldBack(queries, services.world, body.email, body.uuid)) return true;
      await createAccount(queries, body, { passwordHash, trustEpoch, isMailed }, services);
      return false;
    });
    if (heldBack) return refuse("emailTaken");
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another sign-up was faster between the check and the write.
    return refuse((await takenBy(store.read, services, body)) === "uuid" ? "uuidTaken" : "emailTaken");
  }
  mail.wake();
  remember({ uuid: body.uuid, trust_epoch: trustEpoch });
  return answer;
};

async function takenBy(
  queries: Queries,
  { world }: Pick<Services, "world">,
  { email, uuid }: Body<"signup">,
): Promise<"email and uuid" | "email" | "uuid" | null> {
  const rows = await queries
    .selectFrom("accounts")
    .select(["email", "uuid"])
    .where((q) => q.or([q("email", "=", email), q("uuid", "=", uuid)]))
    .execute();
  const byEmail = rows.find((row) => row.email === email);
  if (byEmail) return byEmail.uuid === uuid ? "email and uuid" : "email";
  if (await isHeldBack(queries, world, email, uuid)) return "email";
  return rows.length > 0 || uuid === nobody ? "uuid" : null;
}

/** The account of a repeated sign-up whose answer was lost; null when it is another person's. */
async function accountOfSamePerson(
  body: Body<"signup">,
  network: string,
  { store, accounts, limits }: Services,
): Promise<KnownAccount | Busy | Refusal<CodeOf<"tooMany">> | null> {
  const row = await store.read
    .selectFrom("accounts")
    .select(["uuid", "password_hash", "trust_epoch"])
    .where("uuid", "=", body.uuid)
    .executeTakeFirst();
  if (row === undefined) return null;
  // Whoever knows the uuid could guess the password here, so a wrong one counts as at a login.
  const guess = { email: body.email, guesser: network, proven: false };
  const tooMany = await limits.takeLogin(guess);
  if (tooMany) return tooMany;
  const matches = await accounts.passwords.matches(row.password_hash, body.password, { network, as: "sign-up" });
  if (matches === busy) await limits.takeBack(guess);
  else if (matches) await limits.loginSucceeded(guess);
  return matches === busy ? busy : matches ? row : null;
}

async function createAccount(
  queries: Queries,
  body: Body<"signup">,
  { passwordHash, trustEpoch, isMailed }: { readonly passwordHash: string; readonly trustEpoch: string; readonly isMailed: boolean },
  { world, accounts, questionnaires }: Services,
): Promise<void> {
  const { uuid, email, uiLanguage: locale } = body;
  const now = world.now();
  await queries
    .insertInto("accounts")
    .values({
      uuid,
      email,
      email_confirmed_at: null,
      password_hash: passwordHash,
      firstname: body.firstname ?? null,
      locale,
      // An unknown version is replaced by the locale's default (spec 000 §5).
      questionnaire_version: questionnaires.versions.includes(body.questionnaire)
        ? body.questionnaire
        : questionnaires.defaultVersion[locale],
      app_version: body.version,
      marketing_consent: null,
      created_at: now,
      updated_at: now,
      trust_epoch: trustEpoch,
    })
    .execute();
  if (!isMailed) return;
  const linkId = await accounts.links.create(queries, "confirm", { accountUuid: uuid, email });
  await queueMail(queries, world, {
    accountUuid: uuid,
    template: "confirmEmail",
    locale,
    recipient: email,
    data: { linkId, firstname: body.firstname ?? null },
  });
}
