/** What is outside: the mail server, the payment provider's keys, and the proxies before us. */
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

/** What to do, by what failed. */
function mailRemedy(error: unknown): string {
  const reason = `${field(error, "code")} ${reasonOf(error)}`;
  if (/EAUTH|ENOAUTH/.test(reason)) return "Set the user and password of SMTP_URL right; encode what is special in them (@ is %40).";
  if (/certificate|altname|self.signed/i.test(reason))
    return "Name the host in SMTP_URL as its certificate does, or renew the certificate.";
  if (/wrong version number|ssl|ETLS|STARTTLS/i.test(reason))
    return "Use smtps:// for port 465 and smtp:// for 587: the server must speak TLS there.";
  if (/ENOTFOUND|EDNS|EAI_AGAIN/.test(reason)) return "There is no such host: set the host of SMTP_URL right, or mend DNS here.";
  if (/ECONNREFUSED/.test(reason)) return "Nobody listens there: set host and port of SMTP_URL right.";
  if (/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|Greeting never received|timeout/i.test(reason))
    return "No answer: clouds often close port 25, and firewalls 587; try 2525, or open it.";
  return "Read what it says; mails wait meanwhile and none is lost.";
}

export async function mailServer({ smtpUrl }: Settings): Promise<Finding> {
  if (smtpUrl === null) return ok("Mails stay in the mailbox at /dev/mail");
  const { hostname, port, protocol } = new URL(smtpUrl);
  const place = `${hostname}:${port === "" ? (protocol === "smtps:" ? 465 : 587) : port}`;
  try {
    await greetMailServer(smtpUrl, { connectMs: patience, silenceMs: patience });
    return ok(`${place} takes mails from us`);
  } catch (error) {
    return fault(`${place}: ${reasonOf(error)}`, mailRemedy(error));
  }
}

/** What the copy of journeys may do there; null without one. */
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
        "Erasures reach the newest alone. SELECT copy_name FROM journey_copy names it (without its dashes): DROP TABLE the others.",
      );
    return major > oldestClickHouse[0] || (major === oldestClickHouse[0] && minor >= oldestClickHouse[1])
      ? ok(says)
      : warning(says, `It is older than ${oldestClickHouse.join(".")}, for which this is made: update it.`);
  } catch (error) {
    if (!(error instanceof ClickHouseFailure)) throw error;
    return fault(
      `${host}: ${reasonOf(error)}`,
      "Set user, password, host and database of CLICKHOUSE_URL right; meanwhile changes wait, and the database is counted.",
    );
  }
}
/** The oldest that is still maintained. */
const oldestClickHouse = [25, 8] as const;

/** Paddle writes what a key is for at its beginning; keys from before 2025 do not. */
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
        `${name} does not begin as Paddle's do`,
        `It begins with ${live} or ${sandbox}: copy it whole from Paddle, Developer tools.`,
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
 * Asks the running site through its proxies, with an X-Forwarded-For of our own: what stands after it was added on the way, one entry by each
 * proxy. A proxy that throws ours away begins anew, and all entries are added ones.
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
      return warning(`${url} does not know these SECRET_KEYS`, "Run this with the settings of the site that runs, and its release.");
    answer = v.parse(answerSchema, await response.json());
  } catch (error) {
    return warning(
      `${url} does not answer as the site does: ${reasonOf(error)}`,
      "Start the site, or mend PUBLIC_URL, DNS or the proxy; then run this again.",
    );
  }
  const { forwarded, proxyHops } = answer;
  const ours = forwarded.lastIndexOf(mark);
  const counted = forwarded.length - 1 - ours;
  if (counted === proxyHops) return ok(`${counted} before us, as PROXY_HOPS says`);
  return fault(
    `PROXY_HOPS is ${proxyHops}, but ${counted} ${counted === 1 ? "proxy stands" : "proxies stand"} before us`,
    counted > proxyHops
      ? `Set it to ${counted}: now all visitors count as one network, and share its limits.`
      : `Set it to ${counted}: now a visitor may write any address, and no limit holds them.`,
  );
}
