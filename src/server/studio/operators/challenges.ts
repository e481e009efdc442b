/** Single-use challenges for passkeys and OIDC. */
import type { World } from "../../base/world.ts";
import type { Queries } from "../../store/schema.ts";

const challengeLife = 5 * 60_000;
export type ChallengePurpose = "enter" | "add passkey" | "company";

/** Stores a challenge within the caller's write and deletes expired ones. */
export async function keepChallenge(
  queries: Queries,
  world: World,
  challenge: { readonly purpose: ChallengePurpose; readonly challenge: string; readonly operatorId: string | null },
): Promise<string> {
  const now = world.now();
  const id = world.uuid();
  await queries.deleteFrom("operator_challenges").where("expires_at", "<", now).execute();
  await queries
    .insertInto("operator_challenges")
    .values({
      id,
      purpose: challenge.purpose,
      challenge: challenge.challenge,
      operator_id: challenge.operatorId,
      expires_at: now + challengeLife,
    })
    .execute();
  return id;
}

/** Uses up a challenge within the caller's write; null when it is unknown, expired, used or somebody else's. */
export async function takeChallenge(
  queries: Queries,
  world: World,
  wanted: { readonly id: string; readonly purpose: ChallengePurpose; readonly operatorId: string | null },
): Promise<string | null> {
  const row = await queries
    .deleteFrom("operator_challenges")
    .where("id", "=", wanted.id)
    .where("purpose", "=", wanted.purpose)
    .where("operator_id", wanted.operatorId === null ? "is" : "=", wanted.operatorId)
    .returning(["challenge", "expires_at"])
    .executeTakeFirst();
  return row === undefined || row.expires_at <= world.now() ? null : row.challenge;
}
