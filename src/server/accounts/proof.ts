/** What shows that a call is the account's owner's: whoever holds nothing but its access token has shown nothing (decision 048). */
import { type Actor, type Call, type Refusal, refuse } from "../handler.ts";
import type { Services } from "../parts.ts";
import { busy } from "./passwords.ts";

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
 * `device`: a device that the account knows by its cookie, which no script can read. `owner`: such a device, on which a mailed
 * link opened this session a moment ago. The password is as good as either.
 */
export type Proof = "device" | "owner";

/** The same for an account that is not read yet. */
export async function missingProofOf(
  caller: Caller,
  asked: { readonly proof: Proof; readonly password: string | undefined },
  services: Services,
): Promise<Refusal<1000 | 1001 | 1002 | 1429 | 1503> | null> {
  const account = await services.store.read
    .selectFrom("accounts")
    .select(["uuid", "email", "password_hash", "trust_epoch"])
    .where("uuid", "=", caller.actor.accountUuid)
    .executeTakeFirst();
  return account ? missingProof(caller, account, asked, services) : refuse(1002);
}

/** Whether the call shows it without a password. */
export async function isProven(
  { actor, knownAs }: Omit<Caller, "network">,
  account: Pick<ProvenAccount, "uuid" | "trust_epoch">,
  proof: Proof,
  { accounts: { sessions } }: Services,
): Promise<boolean> {
  return knownAs(account) !== null && (proof === "device" || (await sessions.isFreshFromLink(actor.sessionId)));
}

/** Why it is not shown; null when it is. */
export async function missingProof(
  caller: Caller,
  account: ProvenAccount,
  { proof, password }: { readonly proof: Proof; readonly password: string | undefined },
  services: Services,
): Promise<Refusal<1000 | 1001 | 1429 | 1503> | null> {
  const { limits, accounts } = services;
  if (password === undefined)
    return (await isProven(caller, account, proof, services)) ? null : refuse(1000, { fields: { password: "validator_required" } });
  const guess = { email: account.email, guesser: caller.actor.sessionId, proven: true };
  const tooMany = await limits.takeLogin(guess);
  if (tooMany) return tooMany;
  const matched = await accounts.passwords.matches(account.password_hash, password, caller.network);
  if (matched !== true) return refuse(matched === busy ? 1503 : 1001);
  await limits.loginSucceeded(guess);
  return null;
}
