/** Stand-in for a company's sign-in: an OpenID Connect issuer (discovery, authorization code with PKCE, signed id tokens). Never in production. */
import type { FastifyInstance } from "fastify";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { escapeHtml } from "#core/escapeHtml.ts";

export interface OidcStandinParts {
  /** The issuer's URL, including the prefix. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where it is mounted, without a trailing slash. */
  readonly prefix: string;
  readonly now: () => number;
}

interface Grant {
  readonly email: string;
  readonly verified: boolean;
  readonly redirectUri: string;
  readonly nonce: string | undefined;
  readonly codeChallenge: string;
  readonly until: number;
}

const codeLifeMs = 60_000;
const tokenLifeSeconds = 300;
const algorithm = "RS256";
const same = (one: string, other: string) => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
const asked = (url: string) => new URL(url, "http://issuer").searchParams;

interface Issuer extends OidcStandinParts {
  readonly privateKey: CryptoKey;
  /** By code. */
  readonly grants: Map<string, Grant>;
}

/** Redeems a code once, if client, redirect address and verifier match its authorization request. */
function take({ clientId, clientSecret, grants, now }: Issuer, form: URLSearchParams, authorization: string | undefined): Grant | null {
  const [id, secret] = authorization?.startsWith("Basic ")
    ? Buffer.from(authorization.slice("Basic ".length), "base64").toString().split(":").map(decodeURIComponent)
    : [form.get("client_id") ?? "", form.get("client_secret") ?? ""];
  if (id !== clientId || !same(secret ?? "", clientSecret)) return null;
  const code = form.get("code") ?? "";
  const grant = grants.get(code);
  grants.delete(code);
  if (grant === undefined || grant.until < now() || form.get("redirect_uri") !== grant.redirectUri) return null;
  const given = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  return same(given, grant.codeChallenge) ? grant : null;
}

/** The page on which somebody says who they are, and the way back with a code. */
function authorizationRoutes(app: FastifyInstance, { issuer, clientId, prefix, grants, now }: Issuer): void {
  app.get(`${prefix}/authorize`, async (request, reply) => {
    const query = asked(request.url);
    const fields = [...query].map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`);
    return reply
      .type("text/html; charset=utf-8")
      .send(
        `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Company sign-in (stand-in)</title><h1>Company sign-in (stand-in)</h1><form method="get" action="${prefix}/authorized">${fields.join("")}<p><label>E-mail address <input name="email" type="email" required></label></p><p><label><input name="verified" type="checkbox" value="yes" checked> verified</label></p><button>Sign in</button></form></html>`,
      );
  });
  app.get(`${prefix}/authorized`, async (request, reply) => {
    const query = asked(request.url);
    const [redirectUri, codeChallenge] = [query.get("redirect_uri") ?? "", query.get("code_challenge") ?? ""];
    if (query.get("client_id") !== clientId || query.get("code_challenge_method") !== "S256" || !URL.canParse(redirectUri))
      return reply.status(400).send({ error: "invalid_request" });
    const code = randomBytes(24).toString("base64url");
    grants.set(code, {
      email: query.get("email") ?? "",
      verified: query.get("verified") === "yes",
      redirectUri,
      nonce: query.get("nonce") ?? undefined,
      codeChallenge,
      until: now() + codeLifeMs,
    });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({ code, state: query.get("state") ?? "", iss: issuer }).toString();
    return reply.redirect(back.href);
  });
}

/** Exchanges a code for a signed id token. */
function tokenRoute(app: FastifyInstance, parts: Issuer): void {
  const { issuer, clientId, prefix, privateKey, now } = parts;
  app.post(`${prefix}/token`, async (request, reply) => {
    const grant = take(parts, new URLSearchParams(String(request.body)), request.headers.authorization);
    if (grant === null) return reply.status(400).send({ error: "invalid_grant" });
    const { email, verified, nonce } = grant;
    const seconds = Math.floor(now() / 1_000);
    const idToken = await new SignJWT({ email, email_verified: verified, ...(nonce === undefined ? {} : { nonce }) })
      .setProtectedHeader({ alg: algorithm, kid: "standin" })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setSubject(email)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + tokenLifeSeconds)
      .sign(privateKey);
    return {
      access_token: randomBytes(24).toString("base64url"),
      token_type: "Bearer",
      expires_in: tokenLifeSeconds,
      id_token: idToken,
    };
  });
}

export async function createOidcStandin(parts: OidcStandinParts): Promise<(app: FastifyInstance) => Promise<void>> {
  const { issuer, prefix } = parts;
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const key = { ...(await exportJWK(publicKey)), kid: "standin", alg: algorithm, use: "sig" };
  const all: Issuer = { ...parts, privateKey, grants: new Map() };

  return async (app) => {
    app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => done(null, body));

    app.get(`${prefix}/.well-known/openid-configuration`, async () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [algorithm],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    }));
    app.get(`${prefix}/jwks`, async () => ({ keys: [key] }));
    authorizationRoutes(app, all);
    tokenRoute(app, all);
  };
}
