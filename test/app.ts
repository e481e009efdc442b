/** For tests: runs the server in the test's process, with its own database, stand-in services, and a clock and random numbers that the test controls. */
import type { Site } from "#core/page.ts";
import type { Endpoint, Output, Session } from "#core/api.ts";
import { endpoints, type EndpointSpec } from "#core/api.ts";
import type { ErrorCode } from "#core/errors.ts";
import { errorBodySchema } from "#core/errorBody.ts";
import { errorCodes } from "#core/errors.ts";
import { createErasing } from "#server/accounts/erasing.ts";
import { buildApp } from "#server/app.ts";
import type { AppParts } from "#server/app.ts";
import type { Questionnaires } from "#server/base/questionnaires.ts";
import type { World } from "#server/base/world.ts";
import type { PaymentService } from "#server/payments/service.ts";
import { readEnv } from "#server/env.ts";
import type { Settings } from "#server/base/settings.ts";
import { migrate, readMigrations } from "#server/store/migrate.ts";
import { openPatiently } from "#test/patientPostgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import type { Store } from "#server/store/store.ts";
import { smallQuestionnaire } from "#test/questionnaires.ts";
import { sampled } from "#test/sampled.ts";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { expect, inject } from "vitest";

export type DatabaseKind = "sqlite" | "postgres";
export const behindPgBouncer = process.env["DATABASES"] === "pgbouncer";
/** The databases under test. Mutation tests use SQLite only (vitest.mutation.config.ts); `npm run test:pgbouncer` uses PostgreSQL behind PgBouncer. */
export const databases: readonly DatabaseKind[] =
  process.env["DATABASES"] === "sqlite" ? ["sqlite"] : behindPgBouncer ? ["postgres"] : ["sqlite", "postgres"];
/** For slow tests of behaviour that hardly depends on the database: `npm test` runs them on SQLite only. */
export const sampledDatabases = sampled(databases, 1);

/** The time at which every test starts. */
export const startTime = Date.parse("2026-11-20T12:00:00Z");

export interface TestWorld extends World {
  /** Moves the clock on by this many milliseconds. */
  readonly pass: (time: number) => void;
}

/** A clock that moves only when the test moves it, and random numbers that are the same in every run. */
export function createTestWorld(): TestWorld {
  let now = startTime;
  let drawn = 0;
  const bytes = (size: number): Buffer => {
    const parts = Array.from({ length: Math.ceil(size / 32) }, () => createHash("sha256").update(`${drawn++}`).digest());
    return Buffer.concat(parts).subarray(0, size);
  };
  return {
    now: () => now,
    pass: (time) => void (now += time),
    wait: async () => {},
    randomBytes: bytes,
    uuid: () =>
      bytes(16)
        .toString("hex")
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5"),
  };
}

/** A store on a new database with all tables, or with those from before a migration. Closing it deletes the database. */
export async function createTestStore(kind: DatabaseKind, before?: string): Promise<Store> {
  const migrateTest = (store: Store) =>
    migrate(
      store,
      startTime,
      readMigrations(store.dialect).filter(({ name }) => before === undefined || name < before),
    );
  if (kind === "postgres") {
    const answer = await fetch(new URL(before === undefined ? "migrated" : "", inject("postgresBroker")));
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    const store = openPatiently(text);
    if (before !== undefined) await migrateTest(store);
    return store;
  }
  const folder = mkdtempSync(join(tmpdir(), "parlando-test-"));
  const file = join(folder, "parlando.db");
  if (before === undefined) {
    migrated ??= makeMigrated(`${file}.migrated`, migrateTest);
    writeFileSync(file, await migrated);
  }
  const store = openSqlite(file);
  if (before !== undefined) await migrateTest(store);
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...store, close };
}

/** A migrated database, made once per test file and copied for each test. */
let migrated: Promise<Buffer> | null = null;
async function makeMigrated(file: string, migrateTest: (store: Store) => Promise<unknown>): Promise<Buffer> {
  const store = openSqlite(file);
  await migrateTest(store);
  await store.close();
  return readFileSync(file);
}

/** The small questionnaire as three versions. */
export const testQuestionnaires: Questionnaires = {
  versions: ["76", "78", "83"],
  defaultVersion: { "en-US": "76", "es-419": "76", "pt-BR": "78", "it-IT": "83", "es-ES": "83", "de-DE": "83" },
  questionnaireFor: () => smallQuestionnaire,
  questionnaireOf: () => smallQuestionnaire,
  bundleOf: (version) => {
    const json = JSON.stringify({ version, questionnaire: smallQuestionnaire });
    return { hash: createHash("sha256").update(json).digest("hex"), json };
  },
};

export const nobodyPays: PaymentService = {
  entitlementExists: async () => false,
  offer: async () => null,
  isCoupon: async () => false,
  couponFor: async () => null,
  freeDaysOf: async () => () => true,
  hasWithdrawnOften: async () => false,
  open: async () => ({ kind: "not sold" }),
  providers: [],
  statusOf: async () => ({ status: "failed", purchase: null }),
  planOf: async () => null,
  changePlan: async () => null,
  refundPayment: async () => "no such payment",
  grantDays: async () => "no plan",
  cardPage: async () => null,
  mailPayLink: async () => {},
  entitlementsOf: async () => [],
  receive: async () => false,
  listMoney: async () => null,
  applyFacts: async () => {},
  priceDifferences: async () => [],
  carryOut: async () => {},
  applyStored: async () => {},
  endContracts: () => {},
  noteBuyers: async () => {},
  reconcile: async () => {},
  start: () => {},
  settled: async () => {},
  stop: async () => {},
};

const plainSite: Site = {
  render: async ({ url }) => ({
    status: 200,
    html: `<!doctype html><title>${url.replaceAll("<", "&lt;")}</title>`,
    cacheable: true,
    headers: {},
  }),
  scriptHashes: ["'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='"],
};

/** Default settings with a key and these changes. */
export function testSettings(changes: Partial<Settings> = {}): Settings {
  return {
    ...readEnv({ NODE_ENV: "test", DATA_DIR: tmpdir(), BUSY_AFTER_MS: "0" }, () => "a-key-for-tests-that-is-long-enough"),
    publicUrl: "https://parlando.example",
    backendUrl: "https://parlando.example/api",
    backends: ["https://parlando.example/api"],
    ...changes,
  };
}

export interface TestAppOptions {
  readonly database: DatabaseKind;
  readonly settings?: Partial<Settings>;
  /** A migrated store to use instead of a new one. */
  readonly store?: Store;
  /** Parts used instead of the stand-ins. Payments may be a function of the store and the clock. */
  readonly parts?:
    | Partial<AppParts>
    | ((made: { readonly store: Store; readonly world: TestWorld; readonly settings: Settings }) => Partial<AppParts>);
}

export interface Person {
  readonly uuid: string;
  readonly email: string;
  readonly password: string;
}

type CallInput = {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
};

/** The cookies set by a response, as a Cookie header. */
export const cookieOf = ({ cookies }: LightMyRequestResponse): string => cookies.map(({ name, value }) => `${name}=${value}`).join("; ");

export interface TestApp {
  readonly app: FastifyInstance;
  readonly store: Store;
  readonly world: TestWorld;
  /** Sends a call, valid or not. */
  readonly send: (endpoint: Endpoint, input?: CallInput) => Promise<LightMyRequestResponse>;
  /** The parsed output of a call that must succeed. */
  readonly call: <K extends Endpoint>(endpoint: K, input?: CallInput) => Promise<Output<K>>;
  /** The error of a call that must fail. Its status is checked against the table of error codes. */
  readonly refusal: (
    endpoint: Endpoint,
    input?: CallInput,
  ) => Promise<{
    readonly code: ErrorCode | number;
    readonly fields: Readonly<Record<string, string>>;
    readonly retryAfter: number | null;
  }>;
  /** Signs up a new person each time. */
  readonly signUp: (changes?: Partial<Person> & { readonly firstname?: string }) => Promise<Person>;
  readonly logIn: (person: Person) => Promise<Session>;
  /** The header that identifies the device on which the person signed up. */
  readonly deviceOf: (person: Person) => { readonly cookie: string };
  /** Resolves when all data of erased accounts is deleted. */
  readonly erased: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const outputs: { readonly [K in Endpoint]: { readonly output: v.GenericSchema<unknown, Output<K>> } } = endpoints;

/** Builds the app on a fresh database. Close it with `close`. */
export async function createTestApp({ database, settings: changes, store: given, parts = {} }: TestAppOptions): Promise<TestApp> {
  const world = createTestWorld();
  const store = given ?? (await createTestStore(database));
  const settings = testSettings(changes);
  const others = typeof parts === "function" ? parts({ store, world, settings }) : parts;
  const payments = others.payments ?? nobodyPays;
  const erasing = createErasing({ store, world, payments, log: console });
  const app = await buildApp({
    settings,
    world,
    store,
    questionnaires: testQuestionnaires,
    payments,
    mail: { wake: () => {}, covered: async () => null },
    erasing,
    site: plainSite,
    buildDir: null,
    ...others,
  });
  let people = 0;
  const devices = new Map<string, string>();
  /** The error that the last call threw. Its response contains only the error code 1500. */
  let thrown: Error | null = null;
  app.addHook("onError", async (_request, _reply, error) => void (thrown = error));
  const succeeds = (response: LightMyRequestResponse, status = 200) =>
    expect(response.statusCode, `${response.body} ${thrown?.stack ?? ""}`).toBe(status);

  async function send(endpoint: Endpoint, { body, query, token, headers = {}, from }: CallInput = {}) {
    const spec: EndpointSpec = endpoints[endpoint];
    const request: InjectOptions = {
      method: spec.method,
      url: spec.at === "site" ? spec.path : `/api/${spec.path}`,
      headers: { "x-client": "parlando-web/5.7.8", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(query ? { query } : {}),
      ...(body === undefined
        ? {}
        : typeof body === "string" || Buffer.isBuffer(body) || (typeof body === "object" && body !== null)
          ? { payload: body }
          : { payload: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      ...(from === undefined ? {} : { remoteAddress: from }),
    };
    thrown = null;
    return app.inject(request);
  }

  const test: TestApp = {
    app,
    store,
    world,
    send,
    call: async (endpoint, input) => {
      const response = await send(endpoint, input);
      const spec: EndpointSpec = endpoints[endpoint];
      succeeds(response, spec.status);
      return v.parse(outputs[endpoint].output, response.json());
    },
    refusal: async (endpoint, input) => {
      const response = await send(endpoint, input);
      const { code, fields = {} } = v.parse(errorBodySchema, response.json());
      expect(response.statusCode).toBe(Object.entries(errorCodes).find(([known]) => Number(known) === code)?.[1].status);
      const retryAfter = response.headers["retry-after"];
      return { code, fields, retryAfter: retryAfter === undefined ? null : Number(retryAfter) };
    },
    signUp: async ({ firstname, ...given } = {}) => {
      const person = { uuid: world.uuid(), email: `person${++people}@example.com`, password: "correct horse", ...given };
      const response = await send("signup", {
        body: {
          ...person,
          ...(firstname === undefined ? {} : { firstname }),
          uiLanguage: "es-419",
          questionnaire: "76",
          version: "v5.7.8",
        },
        from: `10.0.${people >> 8}.${people & 255}`,
      });
      succeeds(response);
      devices.set(person.uuid, cookieOf(response));
      return person;
    },
    logIn: ({ email, password }) => test.call("login", { body: { email, password }, from: "10.1.0.1" }),
    deviceOf: ({ uuid }) => ({ cookie: devices.get(uuid) ?? "" }),
    erased: erasing.settled,
    close: async () => {
      await app.close();
      await erasing.stop();
      await store.close();
    },
  };
  return test;
}
