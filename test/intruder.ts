/**
 * Hostile and honest traffic over real connections, for `test/e2e/intruder.spec.ts` (correctness) and `bench/intruder.ts` (speed). The site trusts one
 * proxy (PROXY_HOPS=1), so that each caller can have its own address.
 */
import { buildPath } from "#core/routes.ts";
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { emptySavedState } from "./savedState.ts";

const firstQuestion = buildPath("questionnaire/question", "es-419", { version: "76", question: "2" });

export interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string | Buffer;
}
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly cookies: string;
  readonly ms: number;
}
export type Send = (asked: Asked) => Promise<Answer>;

/** @returns a function that sends requests to a site. A cut connection gives status 0. */
export function sender(url: string): { readonly send: Send; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const { hostname, port } = new URL(url);
  const send: Send = ({ path, body, from = "203.0.113.200", headers = {}, method = body === undefined ? "GET" : "POST" }) => {
    const began = performance.now();
    const payload = typeof body === "object" && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;
    return new Promise((resolve) => {
      const cut = () => resolve({ status: 0, body: "", retryAfter: undefined, cookies: "", ms: performance.now() - began });
      const sent = request(
        {
          agent,
          hostname,
          port,
          path,
          method,
          headers: { ...(payload === undefined ? {} : { "content-type": "application/json" }), "x-forwarded-for": from, ...headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", cut);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(chunks).toString(),
              retryAfter: response.headers["retry-after"],
              cookies: (response.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; "),
              ms: performance.now() - began,
            }),
          );
        },
      );
      sent.on("error", cut);
      sent.end(payload);
    });
  };
  return { send, close: () => agent.destroy() };
}

export interface Owner {
  readonly email: string;
  readonly password: string;
  /** The cookies of the owner's device. */
  readonly cookies: string;
}

const anyone = () => `198.51.100.${randomInt(1, 255)}`;
const anyNetworkOfOneSite = () => `2001:db8:66:${randomInt(0, 65_536).toString(16)}::1`;
const junk = (bytes: number) => randomBytes(bytes).toString("base64url");
/** A random address in lower case, as addresses are stored. */
const junkAddress = (name = "nobody") => `${name}.${randomBytes(6).toString("hex")}@example.com`;
/** A stack trace on which a regular expression once took 300 ms. */
const hostileStack = `Error: x\n${`    at ${"a.".repeat(60)}(${"(".repeat(40)}https://x/${"a/".repeat(30)}:1:\n`.repeat(80)}`.slice(
  0,
  20_000,
);

/** Attacks of an intruder with many IP addresses. Each function carries out one attack. */
export const attacks: Readonly<Record<string, (send: Send, owner: Owner) => Promise<Answer>>> = {
  "a stack that is slow to read": (send) =>
    send({
      path: "/api/report-error",
      from: anyone(),
      body: { message: "x", stack: hostileStack, url: "https://x/", appVersion: "v5.7.8" },
    }),
  "a wrong password": (send, { email }) => send({ path: "/api/login", from: anyone(), body: { email, password: junk(12) } }),
  "a wrong password from a new network of one /48": (send, { email }) =>
    send({ path: "/api/login", from: anyNetworkOfOneSite(), body: { email, password: junk(12) } }),
  "a password for nobody": (send) => send({ path: "/api/login", from: anyone(), body: { email: junkAddress(), password: junk(12) } }),
  "a link for the owner": (send, { email }) => send({ path: "/api/login-link", from: anyone(), body: { email } }),
  "a new password for the owner": (send, { email }) => send({ path: "/api/forgot-password", from: anyone(), body: { email } }),
  "a guessed code": (send, { email }) =>
    send({ path: "/api/token", from: anyone(), body: { email, code: String(randomInt(100_000, 1_000_000)) } }),
  "a guessed link": (send) => send({ path: "/api/token", from: anyone(), body: { token: junk(32) } }),
  "a made-up bearer": (send) =>
    send({ path: "/api/account", from: anyone(), headers: { authorization: `Bearer ${junk(9)}.${junk(90)}.${junk(32)}` } }),
  "a made-up refresh token": (send) => send({ path: "/api/refresh", from: anyone(), body: { refreshToken: junk(32) } }),
  "a sign-up from a new network of one /48": (send) =>
    send({
      path: "/api/signup",
      from: anyNetworkOfOneSite(),
      body: {
        uuid: randomUUID(),
        email: junkAddress(),
        password: junk(12),
        uiLanguage: "es-419",
        questionnaire: "76",
        version: "v5.7.8",
      },
    }),
  "an address that is looked up": (send) => send({ path: "/api/check-email", from: anyone(), body: { email: junkAddress() } }),
  "a page with junk for answers": (send) => send({ path: `${firstQuestion}?a=${junk(30)}`, from: anyone() }),
  "a page with junk in a parameter that has no value": (send) => send({ path: `${firstQuestion}?hf=${junk(30)}`, from: anyone() }),
  "a file with answers beside it": (send) => send({ path: `/robots.txt?a=${junk(2_000)}`, from: anyone() }),
  "a script that is not there": (send) =>
    send({ path: `/assets/${junk(12)}.js`, from: anyone(), headers: { "accept-encoding": "br, gzip" } }),
  "a page that is not there": (send) => send({ path: `/${junk(20)}/..%2f..%2fetc/passwd`, from: anyone() }),
  "a file outside of the site": (send) => send({ path: `/assets/..%2f..%2f..%2f..%2fetc%2fpasswd`, from: anyone() }),
  "a guessed coupon": (send) =>
    send({ path: `/api/products?productIds=onetime-6m-mxn&customerCountry=MX&couponCode=${junk(6)}`, from: anyone() }),
  "a webhook that nobody signed": (send) =>
    send({
      path: "/api/webhooks/paddle-billing",
      from: anyone(),
      headers: { "paddle-signature": `ts=${Math.floor(Date.now() / 1_000)};h1=${"0".repeat(64)}` },
      body: { event_id: "evt_1", event_type: "transaction.completed", data: { id: "txn_1" } },
    }),
  "events at random": (send) =>
    send({
      path: "/api/send-event",
      from: anyone(),
      body: {
        events: Array.from({ length: 100 }, () => ({
          id: randomUUID(),
          eventType: "QuestionnaireAnswer",
          at: new Date().toISOString(),
          payload: { questionnaire: junk(60), questionId: 2, optionId: 20, campaignId: "'; DROP TABLE events; --" },
        })),
      },
    }),
  "an invented visit": (send) =>
    send({
      path: "/api/send-event",
      from: anyone(),
      headers: { "x-device-id": randomUUID() },
      body: {
        events: Array.from({ length: 100 }, (_, n) => ({
          id: randomUUID(),
          eventType: "QuestionnaireQuestionShown",
          at: new Date().toISOString(),
          payload: { questionnaire: "76", questionId: 2 + (n % 50) },
        })),
      },
    }),
  "a body of many megabytes": (send) => send({ path: "/api/check-email", from: anyone(), body: Buffer.alloc(3_000_000, "9") }),
  "a body a mile deep": (send) => send({ path: "/api/questionnaire", from: anyone(), body: `${"[".repeat(60_000)}1${"]".repeat(60_000)}` }),
  "a call from another site": (send) =>
    send({
      path: "/api/login",
      from: anyone(),
      headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      body: { email: "a@example.com", password: "x" },
    }),
  "a mail link for another host": (send, { email }) =>
    send({
      path: "/api/login-link",
      from: anyone(),
      headers: { host: "evil.example", "x-forwarded-host": "evil.example" },
      body: { email },
    }),
};

/** Slowloris: opens connections that send a byte now and then and never finish. @returns a function that closes them */
export function slowConnections(url: string, count: number): () => void {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write("POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{");
    return socket;
  });
  const trickle = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(" ");
  }, 1_000);
  return () => {
    clearInterval(trickle);
    for (const socket of sockets) socket.destroy();
  };
}

/** Request smuggling: sends two requests in one, which a careless proxy would split wrongly. @returns the whole response */
export function smuggled(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let said = "";
    socket.on("data", (chunk: Buffer) => (said += chunk.toString()));
    socket.on("error", () => {});
    socket.on("close", () => resolve(said));
    socket.end(
      "POST /api/check-email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n" +
        "0\r\n\r\nGET /dev/mail HTTP/1.1\r\nHost: localhost\r\n\r\n",
    );
  });
}

let visitors = 0;

/**
 * One honest visitor: looks at a page, signs up, logs in, saves an answer, reads the account. Each step has its own address.
 * @returns each answer, by its step
 */
export async function honestVisit(send: Send): Promise<readonly (readonly [step: string, answer: Answer])[]> {
  const n = ++visitors;
  const from = `192.0.2.${n % 250}`;
  const person = { uuid: randomUUID(), email: junkAddress(`honest${n}`), password: `${junk(12)}9` };
  const steps: (readonly [string, Answer])[] = [];
  const step = async (name: string, asked: Asked) => {
    const answer = await send({ from, ...asked });
    steps.push([name, answer]);
    return answer;
  };
  await step("page", { path: firstQuestion });
  await step("config", { path: "/api/config?version=v5.7.8&uiLanguage=es-419" });
  await step("products", { path: "/api/products?productIds=subscription-3m-mxn,onetime-6m-mxn&customerCountry=MX" });
  await step("event", {
    path: "/api/send-event",
    body: { eventType: "QuestionnaireAnswer", payload: { questionnaire: "76", questionId: 2, optionId: 20 } },
  });
  await step("check-email", { path: "/api/check-email", body: { email: person.email } });
  await step("signup", { path: "/api/signup", body: { ...person, uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" } });
  const session = await step("login", { path: "/api/login", body: { email: person.email, password: person.password } });
  const authorization = session.status === 200 ? `Bearer ${JSON.parse(session.body).token}` : "";
  await step("save", { path: "/api/questionnaire", headers: { authorization }, body: { state: emptySavedState } });
  await step("read", { path: `/api/questionnaire?uuid=${person.uuid}`, headers: { authorization } });
  return steps;
}

/** Creates an account. @returns its owner, with the device's cookies */
export async function newOwner(send: Send): Promise<Owner> {
  const owner = { email: junkAddress("owner"), password: `${junk(12)}9` };
  const { cookies, status, body } = await send({
    path: "/api/signup",
    from: "192.0.2.251",
    body: { uuid: randomUUID(), ...owner, uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" },
  });
  if (status !== 200) throw new Error(`The owner could not sign up: ${status} ${body}`);
  return { ...owner, cookies };
}
