/** Checks outside services: the mail server, the payment provider's keys, ClickHouse, and the proxies in front of us. */
import { products } from "#content/catalog/products.ts";
import type { Settings } from "#server/base/settings.ts";
import { ClickHouseFailure, openClickHouse } from "#server/events/clickhouse/client.ts";
import { tablesBegin } from "#server/events/clickhouse/table.ts";
import { greetMailServer } from "#server/mail/transport.ts";
import { proxiesToken, proxiesPath } from "#server/proxies.ts";
import { randomInt } from "node:crypto";
import * as v from "valibot";
import { type Finding, fault, ok, reasonOf, warning } from "./finding.ts";

const patience = 10_000;

const field = (error: unknown, name: string): string =>
  typeof error === "object" && error !== null && name in error ? String(Reflect.get(error, name)) : "";

/** What to do about an error of the mail server. */
function mailRemedy(error: unknown): string {
  const reason = `${field(error, "code")} ${reasonOf(error)}`;
  if (/EAUTH|ENOAUTH/.test(reason)) return "Correct the user and password in SMTP_URL; encode special characters (@ is %40).";
  if (/certificate|altname|self.signed/i.test(reason)) return "Use the certificate's host name in SMTP_URL, or renew the certificate.";
  if (/wrong version number|ssl|ETLS|STARTTLS/i.test(reason))
    return "Use smtps:// for port 465 and smtp:// for 587: the server must speak TLS there.";
  if (/ENOTFOUND|EDNS|EAI_AGAIN/.test(reason)) return "The host does not exist: correct it in SMTP_URL, or fix DNS here.";
  if (/ECONNREFUSED/.test(reason)) return "Nothing listens there: correct the host and port in SMTP_URL.";
  if (/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|Greeting never received|timeout/i.test(reason))
    return "No answer: clouds often close port 25, and firewalls 587; try 2525, or open it.";
  return "Read the error and remove its cause. Mails wait; none is lost.";
}

export async function mailServer({ smtpUrl }: Settings): Promise<Finding> {
  if (smtpUrl === null) return ok("Mails stay in the mailbox at /dev/mail");
  const { hostname, port, protocol } = new URL(smtpUrl);
  const place = `${hostname}:${port === "" ? (protocol === "smtps:" ? 465 : 587) : port}`;
  try {
    await greetMailServer(smtpUrl, { connectMs: patience, silenceMs: patience });
    return ok(`${place} accepts mails from us`);
  } catch (error) {
    return fault(`${place}: ${reasonOf(error)}`, mailRemedy(error));
  }
}

/** Checks ClickHouse, which holds the copy of journeys; null when it is not used. */
export async function clickhouse({ clickhouseUrl }: Settings): Promise<Finding | null> {
  if (clickhouseUrl === null) return null;
  const { host } = new URL(clickhouseUrl);
  const asked = openClickHouse(clickhouseUrl);
  try {
    const [told] = await asked.rows<{ readonly version: string; readonly database: string; readonly copies: number }>(
      `SELECT version() AS version, currentDatabase() AS database,
        (SELECT count() FROM system.tables WHERE database = currentDatabase() AND startsWith(name, {begin:String})) AS copies`,
      { begin: tablesBegin },
      patience,
    );
    const [major = 0, minor = 0] = (told?.version ?? "").split(".").map(Number);
    const says = `ClickHouse ${told?.version} at ${host}, database ${told?.database}`;
    if ((told?.copies ?? 0) > 1)
      return warning(
        `${says}, with ${told?.copies} copies of journeys`,
        "Erasures reach only the newest copy. To find it: SELECT copy_name FROM journey_copy (its table's name has no dashes). DROP TABLE the others.",
      );
    return major > oldestClickHouse[0] || (major === oldestClickHouse[0] && minor >= oldestClickHouse[1])
      ? ok(says)
      : warning(says, `It is older than ${oldestClickHouse.join(".")}, the oldest supported version: update it.`);
  } catch (error) {
    if (!(error instanceof ClickHouseFailure)) throw error;
    return fault(
      `${host}: ${reasonOf(error)}`,
      "Correct user, password, host and database in CLICKHOUSE_URL. Until then changes wait, and counts read the database.",
    );
  }
}
/** The oldest version that is still maintained. */
const oldestClickHouse = [25, 8] as const;

/** The prefixes of Paddle's keys, by purpose. API keys from before 2025 have none. */
const kinds = [
  { name: "PADDLE_API_KEY", live: "pdl_live_apikey_", sandbox: "pdl_sdbx_apikey_" },
  { name: "PADDLE_CLIENT_TOKEN", live: "live_", sandbox: "test_" },
] as const;

export function paymentKeys({ paddle, paddleClassic, production }: Settings): Finding {
  if (paddle === null) return ok("The stand-in takes payments");
  const given = { PADDLE_API_KEY: paddle.apiKey, PADDLE_CLIENT_TOKEN: paddle.clientToken };
  const wanted = paddle.environment === "production" ? "live" : "sandbox";
  for (const { name, live, sandbox } of kinds) {
    const is = given[name].startsWith(live) ? "live" : given[name].startsWith(sandbox) ? "sandbox" : null;
    if (is !== null && is !== wanted)
      return fault(
        `${name} is a ${is} key, but PADDLE_ENVIRONMENT is ${paddle.environment}`,
        "Take both from the same environment of Paddle.",
      );
    if (is === null && !(name === "PADDLE_API_KEY" && /^[0-9a-f]{40,}$/.test(given[name])))
      return fault(
        `${name} does not begin like Paddle's keys`,
        `It must begin with ${live} or ${sandbox}: copy the whole key from Paddle, Developer tools.`,
      );
  }
  if (paddle.webhookSecrets.some((secret) => !secret.startsWith("pdl_ntfset_")))
    return fault(
      "PADDLE_WEBHOOK_SECRET does not begin with pdl_ntfset_",
      "Copy the secret key of the notification destination, not its id.",
    );
  const unpriced = products.filter(
    ({ productId }) => paddle.prices[productId] === undefined && paddleClassic?.products[productId] === undefined,
  );
  if (unpriced.length === products.length)
    return fault("No product has a price at the provider", "Nothing is sold: fill PADDLE_PRICES, then npm run paddle -- check.");
  if (production && wanted === "sandbox") return warning("Sandbox keys in production", "No money moves: for a staging site only.");
  return unpriced.length > 0
    ? warning(
        `${unpriced.length} of ${products.length} products have no price at the provider`,
        "They are not sold: fill PADDLE_PRICES, then npm run paddle -- check.",
      )
    : ok(`${wanted === "live" ? "Live" : "Sandbox"} keys, and every product has a price`);
}

const answerSchema = v.object({ forwarded: v.array(v.string()), proxyHops: v.number(), now: v.number() });

/**
 * Counts the proxies in front of the running site. Sends a request with a marked X-Forwarded-For: each proxy appends one entry after the mark.
 * If a proxy replaces the header, the mark is gone and every entry was added by a proxy.
 */
export async function proxies(settings: Settings): Promise<Finding> {
  const mark = `192.0.2.${randomInt(1, 255)}`;
  const url = settings.publicUrl + proxiesPath;
  let answer: v.InferOutput<typeof answerSchema>;
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${proxiesToken(settings.secretKeys, Date.now())}`, "x-forwarded-for": mark },
      signal: AbortSignal.timeout(patience),
      redirect: "error",
    });
    if (response.status === 404)
      return warning(`${url} does not know these SECRET_KEYS`, "Run this with the running site's settings and release.");
    answer = v.parse(answerSchema, await response.json());
  } catch (error) {
    return warning(
      `${url} does not answer like the site: ${reasonOf(error)}`,
      "Start the site, or fix PUBLIC_URL, DNS or the proxy. Then run this again.",
    );
  }
  const { forwarded, proxyHops } = answer;
  const ours = forwarded.lastIndexOf(mark);
  const counted = forwarded.length - 1 - ours;
  if (counted === proxyHops) return ok(`${counted} in front of us, as PROXY_HOPS says`);
  return fault(
    `PROXY_HOPS is ${proxyHops}, but ${counted} ${counted === 1 ? "proxy is" : "proxies are"} in front of us`,
    counted > proxyHops
      ? `Set it to ${counted}: now all visitors count as one network and share its rate limits.`
      : `Set it to ${counted}: now a visitor can claim any address and evade the rate limits.`,
  );
}
