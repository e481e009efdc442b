/** Proof that the caller owns the account. An access token alone proves nothing (decision 048). */
import type { CodeOf } from "#core/errors.ts";
import type { Actor } from "../../base/actor.ts";
import type { Call } from "./handler.ts";
import { type Refusal, refuse } from "../../base/refusal.ts";
import type { Services } from "./services.ts";
import type { Queries } from "../../store/schema.ts";
import { busy } from "../../accounts/passwords.ts";

interface Caller {
  readonly actor: Actor;
  readonly knownAs: Call<"updateEmail">["knownAs"];
  readonly network: string;
}
interface ProvenAccount {
  readonly uuid: string;
  readonly email: string;
  readonly password_hash: string | null;
  readonly trust_epoch: string;
}
/**
 * `device`: a device that the account knows by its cookie, which no script can read. `owner`: such a device, in a session that a mailed link has just
 * opened. The password counts as either.
 */
export type Proof = "device" | "owner";

/**
 * Whether a proof still holds, checked within a write. The password that was compared, the known devices or the session may have ended since. Locks
 * the account's row for this write.
 */
export async function stillHolds(
  queries: Queries,
  { accountUuid, sessionId }: Actor,
  { password_hash: hash, trust_epoch: epoch }: Pick<ProvenAccount, "password_hash" | "trust_epoch">,
): Promise<boolean> {
  const account = await queries
    .updateTable("accounts")
    .set({ trust_epoch: epoch })
    .where("uuid", "=", accountUuid)
    .where("trust_epoch", "=", epoch)
    .where("password_hash", hash === null ? "is" : "=", hash)
    .executeTakeFirst();
  const session = await queries.selectFrom("sessions").select("ended_at").where("id", "=", sessionId).executeTakeFirst();
  return account.numUpdatedRows > 0n && session?.ended_at === null;
}

/** Reads the caller's account and checks the proof (`missingProof`). */
export async function missingProofOf(
  caller: Caller,
  asked: { readonly proof: Proof; readonly password: string | undefined },
  services: Services,
): Promise<Refusal<CodeOf<"invalidInput" | "wrongCredentials" | "invalidAccessToken" | "tooMany" | "notReady">> | null> {
  const account = await services.store.read
    .selectFrom("accounts")
    .select(["uuid", "email", "password_hash", "trust_epoch"])
    .where("uuid", "=", caller.actor.accountUuid)
    .executeTakeFirst();
  return account ? missingProof(caller, account, asked, services) : refuse("invalidAccessToken");
}

/** Whether the call proves ownership without a password. */
export async function isProven(
  { actor, knownAs }: Omit<Caller, "network">,
  account: Pick<ProvenAccount, "uuid" | "trust_epoch">,
  proof: Proof,
  { accounts: { sessions } }: Services,
): Promise<boolean> {
  return knownAs(account) !== null && (proof === "device" || (await sessions.isFreshFromLink(actor.sessionId)));
}

/** Checks the proof. Returns null when it is valid, else the refusal. */
export async function missingProof(
  caller: Caller,
  account: ProvenAccount,
  { proof, password }: { readonly proof: Proof; readonly password: string | undefined },
  services: Services,
): Promise<Refusal<CodeOf<"invalidInput" | "wrongCredentials" | "tooMany" | "notReady">> | null> {
  const { limits, accounts } = services;
  if (password === undefined)
    return (await isProven(caller, account, proof, services))
      ? null
      : refuse("invalidInput", { fields: { password: "validator_required" } });
  const guess = { email: account.email, guesser: caller.actor.sessionId, proven: true };
  const tooMany = await limits.takeLogin(guess);
  if (tooMany) return tooMany;
  const matched = await accounts.passwords.matches(account.password_hash, password, {
    network: caller.network,
    as: "known",
    accountUuid: account.uuid,
  });
  if (matched === busy) {
    await limits.takeBack(guess);
    return refuse("notReady");
  }
  if (!matched) return refuse("wrongCredentials");
  await limits.loginSucceeded(guess);
  return null;
}
