/** A passkey as from a device, without attestation. */
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";

const present = 0x01;
const verified = 0x04;
const withKey = 0x40;

/** The response to a challenge on the site `origin`. @param known an existing id, base64url; otherwise the id is random */
export function newPasskey(challenge: string, origin: string, known?: string) {
  const id = known === undefined ? randomBytes(32) : Buffer.from(known, "base64url");
  const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
  // COSE: an elliptic key (1: 2), ES256 (3: -7), on P-256 (-1: 1).
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ]);
  const authData = Buffer.concat([
    createHash("sha256").update(new URL(origin).hostname).digest(),
    Buffer.from([present | verified | withKey]),
    Buffer.alloc(4),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    isoCBOR.encode(key),
  ]);
  const attestation = new Map<string, string | Uint8Array | Map<string, never>>([
    ["fmt", "none"],
    ["attStmt", new Map<string, never>()],
    ["authData", new Uint8Array(authData)],
  ]);
  const clientData = JSON.stringify({ type: "webauthn.create", challenge, origin: new URL(origin).origin, crossOrigin: false });
  return {
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key" as const,
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(clientData).toString("base64url"),
      attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString("base64url"),
      transports: ["internal"],
    },
  };
}
