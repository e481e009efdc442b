/** For tests: random calls with valid and invalid input. */
import { type Endpoint, endpoints, type EndpointSpec } from "#core/api.ts";
import { errorBodySchema } from "#core/errorBody.ts";
import { openapiOf } from "#server/openapi.ts";
import { implemented } from "#server/handlers.ts";
import { createTestApp, type DatabaseKind } from "#test/app.ts";
import fc from "fast-check";
import * as v from "valibot";

/** The part of JSON Schema that the contract uses. */
interface Shape {
  readonly type?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown | undefined;
  readonly anyOf?: readonly Shape[] | undefined;
  readonly oneOf?: readonly Shape[] | undefined;
  readonly properties?: Readonly<Record<string, Shape>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Shape | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly maxLength?: number | undefined;
}
const shapes: v.GenericSchema<unknown, Shape> = v.object({
  type: v.optional(v.string()),
  enum: v.optional(v.array(v.unknown())),
  const: v.optional(v.unknown()),
  anyOf: v.optional(v.array(v.lazy(() => shapes))),
  oneOf: v.optional(v.array(v.lazy(() => shapes))),
  properties: v.optional(
    v.record(
      v.string(),
      v.lazy(() => shapes),
    ),
  ),
  required: v.optional(v.array(v.string())),
  items: v.optional(v.lazy(() => shapes)),
  pattern: v.optional(v.string()),
  format: v.optional(v.string()),
  maxLength: v.optional(v.number()),
});
const operation = v.object({
  operationId: v.string(),
  parameters: v.optional(v.array(v.object({ name: v.string(), schema: shapes })), []),
  requestBody: v.optional(v.object({ content: v.object({ "application/json": v.object({ schema: shapes }) }) })),
});
type Operation = v.InferOutput<typeof operation>;

/** The operations in openapi.json. */
function operationsOf(): ReadonlyMap<string, Operation> {
  const { paths } = openapiOf(implemented, { backendUrl: "", publicUrl: "", version: "" });
  const found = Object.values(paths).flatMap((path) => Object.values(path).map((one) => v.safeParse(operation, one)));
  return new Map(found.flatMap(({ success, output }) => (success ? [[output.operationId, output] as const] : [])));
}

const numbers = [0, -0, -1, 1, 2, 7, 99, 2 ** 31, 2 ** 53, 1e20, 1e308, 5e-324, 0.5];
const moments = [
  "2026-11-20T12:00:00Z",
  "2026-02-31T00:00:00Z",
  "2026-01-01T00:00:00+23",
  "0000-01-01 00:00:00-23:59",
  "9999-12-31T23:59:59.999999999Z",
];
const words = [
  "",
  "76",
  "v5.7.8",
  "es-419",
  "\u0000",
  "\ud800",
  "\u202e",
  "__proto__",
  "constructor",
  "%",
  "'--",
  "<script>",
  "x".repeat(300),
  "ñ".repeat(255),
];

/** Existing values, like an account's uuid, by field name. */
type Known = Readonly<Record<string, string>>;

/** Random values for a schema: mostly valid, so that calls pass validation, sometimes anything. */
function valueOf(shape: Shape, known: Known, name = ""): fc.Arbitrary<unknown> {
  const fits = fitting(shape, known);
  const unnamed = known[name] === undefined || shape.type !== "string" || (shape.format === "uuid" && name !== "uuid");
  const usual = unnamed ? fits : mostly(fc.constant(known[name]), fits);
  return fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) });
}

function mostly(usual: fc.Arbitrary<unknown>, ...others: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6 * others.length, arbitrary: usual }, ...others);
}

function fitting(shape: Shape, known: Known): fc.Arbitrary<unknown> {
  const options = shape.anyOf ?? shape.oneOf;
  if (options !== undefined) return fc.oneof(...options.map((option) => valueOf(option, known)));
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  if (shape.const !== undefined) return fc.constant(shape.const);
  switch (shape.type) {
    case "object": {
      const properties = Object.entries(shape.properties ?? {}).map(([name, property]) => [name, valueOf(property, known, name)] as const);
      const fields = fc.record(Object.fromEntries(properties), { requiredKeys: [...(shape.required ?? [])] });
      // Sometimes omits a field or adds one.
      return fc
        .tuple(fields, fc.option(fc.constantFrom("id", "role", "uuid", "toString", "length"), { freq: 8 }), fc.nat({ max: 60 }))
        .map(([made, extra, n]) =>
          Object.fromEntries([...Object.entries(made).filter((_, index) => n !== index), ...(extra === null ? [] : [[extra, n]])]),
        );
    }
    case "array":
      return fc.oneof(fc.constant([]), fc.array(valueOf(shape.items ?? {}, known), { maxLength: 8 }));
    case "integer":
      return mostly(fc.integer({ min: 1, max: 6 }), fc.constantFrom(...numbers));
    case "number":
      return mostly(fc.integer({ min: 1, max: 12 }), fc.constantFrom(...numbers), fc.double({ noNaN: true }));
    case "boolean":
      return fc.boolean();
    case "string":
      if (shape.format === "uuid") return fc.uuid();
      if (shape.format === "date-time")
        return mostly(
          fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
          fc.constantFrom(...moments),
        );
      // Strings cannot be generated for negated classes and lookaheads.
      if (shape.pattern !== undefined && !/\[\^|\(\?/.test(shape.pattern))
        return mostly(fc.stringMatching(new RegExp(shape.pattern, "u")), fc.constantFrom(...words));
      return fc.oneof(fc.constantFrom(...Object.values(known)), fc.constantFrom(...words), fc.string({ unit: "binary", maxLength: 60 }));
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

export interface Outcome {
  /** Calls whose response broke the contract, with their input. */
  readonly wrong: readonly string[];
  /** Number of cases that passed validation, per call. */
  readonly taken: ReadonlyMap<Endpoint, number>;
  /** The call with the most CPU time of this thread, ms. */
  readonly slowest: { readonly call: string; readonly ms: number };
}

/** Sends `perCall` cases to every call, with an account's token where it needs one. The same seed gives the same cases. */
export async function randomCalls(database: DatabaseKind, perCall: number, seed: number): Promise<Outcome> {
  const wide = { points: 1_000_000_000, seconds: 60 };
  const names = ["signup", "login", "login-link", "forgot-password", "token", "reset-password", "check-email", "refresh", "questionnaire"];
  const more = ["bodies", "consent", "report-error", "payment", "events"];
  const limits = {
    ...Object.fromEntries([...names, ...more].map((name) => [`${name}.network`, wide])),
    ...Object.fromEntries(
      [
        "signup.email",
        "login.guesser",
        "login.email",
        "update-email.account",
        "update-email.email",
        "update-email.again",
        "questionnaire.uuid",
      ].map((name) => [name, wide]),
    ),
  };
  const t = await createTestApp({ database, settings: { limits } });
  const operations = operationsOf();
  const wrong: string[] = [];
  const taken = new Map<Endpoint, number>();
  let slowest = { call: "", ms: 0 };

  const person = await t.signUp();
  let { token } = await t.logIn(person);
  // Calls that change the login or end the account come last.
  const last: readonly Endpoint[] = ["logout", "updateEmail", "accountErase"];
  for (const key of implemented.toSorted((a, b) => last.indexOf(a) - last.indexOf(b))) {
    const spec: EndpointSpec = endpoints[key];
    if (spec.auth === "signature") continue;
    const known = {
      ...(key === "signup" ? { email: "new@example.com" } : { uuid: person.uuid, email: person.email }),
      password: person.password,
      version: "v5.7.8",
      questionnaire: "76",
      id: "76",
      returnPath: "/es-latam/habla-ingles/76/",
    };
    const said = operations.get(key);
    if (said === undefined) throw new Error(`openapi.json says nothing of ${key}`);
    const body = said.requestBody?.content["application/json"].schema;
    const query = fc
      .record(
        Object.fromEntries(
          said.parameters.map(({ name, schema }) => [
            name,
            valueOf(schema, known, name).map((value) => (typeof value === "string" ? value.toWellFormed() : JSON.stringify(value))),
          ]),
        ),
        { requiredKeys: [] },
      )
      .map((made) => Object.fromEntries(Object.entries(made).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))));
    const cases = fc.tuple(
      body === undefined ? fc.constant(undefined) : valueOf(body, known),
      query,
      fc.option(fc.constantFrom(person.uuid, "x"), { freq: 3 }),
    );
    for (const [sent, asked, device] of fc.sample(cases, { numRuns: perCall, seed })) {
      const before = process.threadCpuUsage();
      const response = await t.app.inject({
        method: spec.method,
        url: spec.at === "site" ? spec.path : `/api/${spec.path}`,
        query: asked,
        headers: {
          authorization: `Bearer ${token}`,
          ...(sent === undefined ? {} : { "content-type": "application/json" }),
          ...(device === null ? {} : { "x-device-id": device }),
        },
        ...(sent === undefined ? {} : { payload: JSON.stringify(sent) }),
      });
      const spent = process.threadCpuUsage(before);
      const ms = (spent.user + spent.system) / 1_000;
      const told = `${key} ${JSON.stringify(asked)} ${JSON.stringify(sent)}`.slice(0, 600);
      if (ms > slowest.ms) slowest = { call: told, ms };
      const { statusCode } = response;
      const refusal = statusCode < 400 ? null : v.safeParse(errorBodySchema, response.json());
      if (statusCode >= 500 ? statusCode !== 503 : refusal !== null && !refusal.success) wrong.push(`${statusCode} ${told}`);
      if (![400, 422].includes(statusCode)) taken.set(key, (taken.get(key) ?? 0) + 1);
      // The session or the account has ended, so the next case needs a new one.
      if ((key === "logout" || key === "accountErase") && statusCode === 200)
        token = (await t.logIn(key === "logout" ? person : await t.signUp())).token;
    }
  }
  // The server still works with valid input.
  await t.logIn(await t.signUp());
  if (Reflect.has({}, "polluted")) wrong.push("Every object has what a body said");
  await t.close();
  return { wrong, taken, slowest };
}
