/**
 * Sign-in with the company's identity provider (OpenID Connect): authorization code with PKCE, state and nonce. It signs in existing operators by
 * their verified address.
 */
import * as oidc from "openid-client";
import type { FastifyBaseLogger } from "fastify";
import * as v from "valibot";
import type { OidcSettings, Settings } from "../../base/settings.ts";
import type { World } from "../../base/world.ts";
import type { Store } from "../../store/store.ts";
import { keepChallenge, takeChallenge } from "./challenges.ts";

interface CompanyParts {
  readonly store: Store;
  readonly world: World;
  readonly settings: Settings;
  readonly log: Pick<FastifyBaseLogger, "error" | "info">;
}

const kept = v.pipe(v.string(), v.parseJson(), v.object({ state: v.string(), nonce: v.string(), verifier: v.string() }));
const addressesSchema = v.object({ email: v.string(), email_verified: v.literal(true) });

/** The redirect URI. */
const returnOf = ({ publicUrl }: Settings) => `${publicUrl}/studio/enter/company`;

/** The issuer's metadata, fetched once per process and again after a failure. */
const found = new Map<string, Promise<oidc.Configuration>>();
function configurationOf({ issuer, clientId, clientSecret }: OidcSettings): Promise<oidc.Configuration> {
  const key = JSON.stringify([issuer, clientId, clientSecret]);
  const known = found.get(key);
  if (known !== undefined) return known;
  const url = new URL(issuer);
  // The settings allow http for loopback only.
  const options = url.protocol === "http:" ? { execute: [oidc.allowInsecureRequests] } : {};
  const asked = oidc.discovery(url, clientId, clientSecret, undefined, options);
  found.set(key, asked);
  asked.catch(() => found.delete(key));
  return asked;
}

/** The authorization URL and its challenge; null when the issuer does not answer. */
export async function beginCompanySignIn(
  parts: CompanyParts,
  company: OidcSettings,
): Promise<{ readonly challenge: string; readonly url: string } | null> {
  const configuration = await configurationOf(company).catch((err: unknown) => {
    parts.log.error({ err }, "The company's identity provider did not answer");
    return null;
  });
  if (configuration === null) return null;
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const challenge = await parts.store.write((queries) =>
    keepChallenge(queries, parts.world, { purpose: "company", challenge: JSON.stringify({ state, nonce, verifier }), operatorId: null }),
  );
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: returnOf(parts.settings),
    scope: "openid email profile",
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  });
  return { challenge, url: url.href };
}

/** The verified e-mail address of the returning user; null when there is none or the response does not match the request. */
export async function addressByCompany(
  parts: CompanyParts,
  company: OidcSettings,
  came: { readonly challenge: string; readonly search: string },
): Promise<string | null> {
  const { store, world, settings, log } = parts;
  const challenge = await store.write((queries) =>
    takeChallenge(queries, world, { id: came.challenge, purpose: "company", operatorId: null }),
  );
  if (challenge === null) return null;
  const { state, nonce, verifier } = v.parse(kept, challenge);
  const tokens = await configurationOf(company)
    .then((configuration) =>
      oidc.authorizationCodeGrant(configuration, new URL(`${returnOf(settings)}${came.search}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }),
    )
    .catch((err: unknown) => {
      log.info({ err }, "A sign-in with the company's identity provider failed");
      return null;
    });
  const claims = v.safeParse(addressesSchema, tokens?.claims());
  return claims.success ? claims.output.email.toLowerCase() : null;
}
