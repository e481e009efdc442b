/** For tests: signs in an operator of any role to an app of `test/app.ts`, and makes the studio's calls. */
import { studioCalls, type StudioKey } from "#studio/contract.ts";
import type { OutputOf, Role, Sent, StudioCall } from "#studio/contract/call.ts";
import { errorBodySchema } from "#core/errorBody.ts";
import { addOperator } from "#server/studio/operators/operators.ts";
import { createOperatorLink } from "#server/studio/operators/links.ts";
import { type TestApp, testSettings } from "#test/app.ts";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import * as v from "valibot";
import { expect } from "vitest";

type Row<K extends StudioKey> = (typeof studioCalls)[K];

export interface StudioClient {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The Cookie header. */
  readonly cookie: string;
  /** Sends a call, valid or not. */
  readonly send: (key: StudioKey, input?: unknown, headers?: Readonly<Record<string, string>>) => Promise<LightMyRequestResponse>;
  /** The output of a call that must succeed. */
  readonly call: <K extends StudioKey>(key: K, input: Sent<Row<K>>) => Promise<OutputOf<Row<K>>>;
  /** The error of a call that must fail. */
  readonly refusal: (key: StudioKey, input?: unknown) => Promise<v.InferOutput<typeof errorBodySchema>>;
}

/** Sends a studio call with the page's headers, changed by `headers`. For a stream, waits for the first event. */
export async function sendStudioCall(
  { app }: Pick<TestApp, "app">,
  key: string,
  {
    input = {},
    cookie,
    headers = {},
    remoteAddress = "127.0.0.1",
  }: {
    readonly input?: unknown;
    readonly cookie?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly remoteAddress?: string;
  } = {},
): Promise<LightMyRequestResponse> {
  const spec: StudioCall | undefined = Object.hasOwn(studioCalls, key) ? studioCalls[key as StudioKey] : undefined;
  const method = spec?.method ?? "GET";
  const query = new URLSearchParams(method === "GET" ? Object.entries(input as object).map(([name, value]) => [name, String(value)]) : []);
  const request: InjectOptions = {
    method,
    remoteAddress,
    url: `/studio/api/${key}${query.size > 0 ? `?${query}` : ""}`,
    headers: {
      "sec-fetch-site": "same-origin",
      ...(method === "POST" ? { origin: "https://parlando.example", "content-type": "application/json" } : {}),
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
    ...(method === "POST" ? { payload: JSON.stringify(input) } : {}),
  };
  if (spec?.events !== true) return app.inject(request);
  const answer = await app.inject({ ...request, payloadAsStream: true });
  let first = "";
  for await (const piece of answer.stream()) {
    first = String(piece).replace(/^data: /, "");
    break;
  }
  return { ...answer, statusCode: answer.statusCode, headers: answer.headers, body: first, json: () => JSON.parse(first) };
}

/** The session cookie set by a response. */
export const studioCookieOf = ({ cookies }: LightMyRequestResponse): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join("; ");

let operators = 0;

/** Creates an operator and signs them in by a link, like `npm run studio -- invite`. */
export async function signInOperator(test: TestApp, role: Role): Promise<StudioClient> {
  const { store, world } = test;
  const email = `${role}${++operators}@team.example`;
  const name = `${role} ${operators}`;
  const secrets = testSettings().secretKeys;
  const { operator, token } = await store.write(async (queries) => {
    const operator = await addOperator(queries, world, { email, name, role }, null);
    return { operator, ...(await createOperatorLink(queries, world, secrets, { purpose: "invitation", operatorId: operator.id })) };
  });
  const entered = await sendStudioCall(test, "enterByLink", { input: { token } });
  expect(entered.statusCode, entered.body).toBe(200);
  const cookie = studioCookieOf(entered);
  const send: StudioClient["send"] = (key, input, headers = {}) => sendStudioCall(test, key, { input, cookie, headers });
  return {
    id: operator.id,
    name,
    email,
    cookie,
    send,
    call: async (key, input) => {
      const answer = await send(key, input);
      expect(answer.statusCode, answer.body).toBe(200);
      const { output }: { readonly output: v.GenericSchema<unknown, OutputOf<Row<typeof key>>> } = studioCalls[key];
      return v.parse(output, answer.json());
    },
    refusal: async (key, input) => {
      const answer = await send(key, input);
      expect(answer.statusCode, answer.body).toBeGreaterThanOrEqual(400);
      return v.parse(errorBodySchema, answer.json());
    },
  };
}
