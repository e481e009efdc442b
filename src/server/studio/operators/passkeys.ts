/** Operators' passkeys (WebAuthn). Each use requires a fingerprint, a face or the device's PIN. */
import { brand } from "#content/brand.ts";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import * as v from "valibot";
import type { World } from "../../base/world.ts";
import type { Store } from "../../store/store.ts";
import type { Operator } from "../handler.ts";
import { keepChallenge, takeChallenge } from "./challenges.ts";

export interface PasskeyParts {
  readonly store: Store;
  readonly world: World;
  /** Origin of the site, from the settings. */
  readonly publicUrl: string;
}

/** Loaded at the first use of a passkey: its 300 modules would take a tenth of each start. */
const webAuthn = () => import("@simplewebauthn/server");

const siteOf = ({ publicUrl }: PasskeyParts) => ({ origin: new URL(publicUrl).origin, host: new URL(publicUrl).hostname });
const transportsSchema = v.fallback(v.pipe(v.string(), v.parseJson(), v.array(v.string())), []);

/** Options for signing in with any passkey of this site. */
export async function beginPasskeySignIn(
  parts: PasskeyParts,
): Promise<{ readonly challenge: string; readonly options: Record<string, unknown> }> {
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({ rpID: siteOf(parts).host, userVerification: "required" });
  const challenge = await parts.store.write((queries) =>
    keepChallenge(queries, parts.world, { purpose: "enter", challenge: options.challenge, operatorId: null }),
  );
  return { challenge, options: { ...options } };
}

/** The operator whose passkey signed the challenge; null when the passkey is unknown, the signature wrong, or the challenge used. */
export async function operatorOfPasskey(
  parts: PasskeyParts,
  { challenge, credential }: { readonly challenge: string; readonly credential: AuthenticationResponseJSON },
): Promise<string | null> {
  const { store, world } = parts;
  const expected = await store.write((queries) => takeChallenge(queries, world, { id: challenge, purpose: "enter", operatorId: null }));
  const row = await store.read.selectFrom("operator_passkeys").selectAll().where("id", "=", credential.id).executeTakeFirst();
  if (expected === null || row === undefined) return null;
  const { origin, host } = siteOf(parts);
  const { verifyAuthenticationResponse } = await webAuthn();
  const verified = await verifyAuthenticationResponse({
    response: credential,
    expectedChallenge: expected,
    expectedOrigin: origin,
    expectedRPID: host,
    credential: {
      id: row.id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, "base64url")),
      counter: row.counter,
      transports: v.parse(transportsSchema, row.transports),
    },
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  await store.write(async (queries) => {
    await queries
      .updateTable("operator_passkeys")
      .set({ counter: verified.authenticationInfo.newCounter, used_at: world.now() })
      .where("id", "=", row.id)
      .execute();
  });
  return row.operator_id;
}

/** Options for creating a passkey. */
export async function offerPasskey(parts: PasskeyParts, operator: Operator) {
  const { store, world } = parts;
  const known = await store.read
    .selectFrom("operator_passkeys")
    .select(["id", "transports"])
    .where("operator_id", "=", operator.id)
    .execute();
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: `${brand.name} studio`,
    rpID: siteOf(parts).host,
    userName: operator.email,
    userDisplayName: operator.name,
    userID: new TextEncoder().encode(operator.id),
    attestationType: "none",
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: v.parse(transportsSchema, transports) })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const challenge = await store.write((queries) =>
    keepChallenge(queries, world, { purpose: "add passkey", challenge: options.challenge, operatorId: operator.id }),
  );
  return { challenge, options: { ...options } };
}

/** Verifies a new passkey; null when it is not valid. The caller stores it. */
export async function passkeyMade(
  parts: PasskeyParts,
  operator: Operator,
  { challenge, credential }: { readonly challenge: string; readonly credential: RegistrationResponseJSON },
) {
  const { store, world } = parts;
  const wanted = { id: challenge, purpose: "add passkey", operatorId: operator.id } as const;
  const expected = await store.write((queries) => takeChallenge(queries, world, wanted));
  if (expected === null) return null;
  const { origin, host } = siteOf(parts);
  const { verifyRegistrationResponse } = await webAuthn();
  const verified = await verifyRegistrationResponse({
    response: credential,
    expectedChallenge: expected,
    expectedOrigin: origin,
    expectedRPID: host,
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return { id, public_key: Buffer.from(publicKey).toString("base64url"), counter, transports: JSON.stringify(transports) };
}
