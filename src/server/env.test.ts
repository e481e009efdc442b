import { EnvError, readEnv, variableNames } from "#server/env.ts";
import { startedEnv } from "#test/startedEnv.ts";
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const goodKey = "kZ0rj3v8Q2mW7xT4pL9sB6nY1cF5hD0g";
const production = {
  NODE_ENV: "production",
  SECRET_KEYS: goodKey,
  PUBLIC_URL: "https://parlando.example",
  SMTP_URL: "smtps://mail.example",
  PADDLE_API_KEY: "a",
  PADDLE_CLIENT_TOKEN: "b",
  PADDLE_WEBHOOK_SECRET: "c",
};
const read = (env: Readonly<Record<string, string>>) => readEnv(env, () => "kept");
const complaints = (env: Readonly<Record<string, string>>): readonly string[] => {
  try {
    read(env);
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.sentences;
    throw error;
  }
};

describe("the environment", () => {
  it("is documented: docs/settings.md has every variable, and no other", () => {
    const settings = readFileSync("docs/settings.md", "utf8");
    const table = settings.slice(settings.indexOf("| variable |")).split("\n\n")[0] ?? "";
    const named = table.split("\n").flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name));
    expect(named.toSorted()).toEqual(variableNames.toSorted());
  });

  it("may be empty: everything built in, on port 3000", () => {
    expect(read({})).toMatchObject({
      production: false,
      developing: false,
      port: 3000,
      publicUrl: "http://localhost:3000",
      backendUrl: "http://localhost:3000/api",
      backends: ["http://localhost:3000/api"],
      databaseUrl: null,
      reportDatabaseUrl: null,
      smtpUrl: null,
      paddle: null,
      secretKeys: ["kept"],
      countryHeader: null,
      proxyHops: 0,
    });
  });

  it("outside production listens on this machine only, unless HOST says otherwise", async () => {
    const heard = async (env: Readonly<Record<string, string>>) => {
      const listening = createServer();
      await new Promise<void>((resolve) => listening.listen(0, read(env).host, resolve));
      const address = listening.address();
      listening.close();
      return typeof address === "object" ? address?.address : null;
    };
    expect(await heard({})).toBe("127.0.0.1");
    expect(await heard({ NODE_ENV: "development" })).toBe("127.0.0.1");
    expect(await heard({ HOST: "0.0.0.0" })).toBe("0.0.0.0");
    expect(await heard(production)).toBe("0.0.0.0");
    expect(await heard({ ...production, HOST: "127.0.0.1" })).toBe("127.0.0.1");
  });

  it("treats an empty variable as unset", () => {
    expect(read({ NODE_ENV: "", PORT: "", DATABASE_URL: "" })).toMatchObject({ port: 3000, databaseUrl: null });
  });

  it("is read completely in production", () => {
    expect(
      read({
        ...production,
        SECRET_KEYS: `${goodKey},${goodKey.toLowerCase()}x`,
        BACKENDS: "https://eu.parlando.example/api/, https://us.parlando.example/api",
        ALLOWED_ORIGINS: "https://shop.example",
        COUNTRY_HEADER: "CF-IPCountry",
      }),
    ).toMatchObject({
      production: true,
      secretKeys: [goodKey, `${goodKey.toLowerCase()}x`],
      backends: ["https://parlando.example/api", "https://eu.parlando.example/api", "https://us.parlando.example/api"],
      allowedOrigins: ["https://shop.example"],
      countryHeader: "cf-ipcountry",
      paddle: { environment: "sandbox", apiKey: "a", clientToken: "b", webhookSecrets: ["c"], prices: {} },
    });
  });

  it.each<[string, string, string]>([
    ["PORT", "http", 'PORT must be a whole number from 0 to 65535, but is "http".'],
    ["PORT", "70000", 'PORT must be a whole number from 0 to 65535, but is "70000".'],
    ["NODE_ENV", "prod", 'NODE_ENV must be development, production, test or not set, but is "prod".'],
    ["PUBLIC_URL", "http://parlando.example", "PUBLIC_URL must start with https:// (http:// only for this machine), but is not."],
    ["PUBLIC_URL", "https://parlando.example/en", "PUBLIC_URL must have no path, but is not."],
    ["PUBLIC_URL", "parlando", "PUBLIC_URL must be an address such as https://parlando.example, but is not."],
    ["BACKENDS", "https://a@b.example", 'BACKENDS must have no user, query or fragment, but is "https://a@b.example".'],
    ["ALLOWED_ORIGINS", "*", 'ALLOWED_ORIGINS must be an address such as https://parlando.example, but is "*".'],
    ["DATABASE_URL", "mysql://x", "DATABASE_URL must be an address that starts with postgres:// or postgresql://, but is not."],
    ["REPORT_DATABASE_URL", "postgres://b/x", "REPORT_DATABASE_URL is a standby of DATABASE_URL, which must be set as well."],
    ["SECRET_KEYS", "short", "SECRET_KEYS must hold keys of at least 32 characters, but is not."],
    ["SECRET_KEYS", "change-me-change-me-change-me-change-me", "SECRET_KEYS must hold random keys, not a default, but is not."],
    ["SECRET_KEYS", "abcdefghijklabcdefghijklabcdefghijkl", "SECRET_KEYS must hold random keys, not a default, but is not."],
    ["SECRET_KEYS", "0101101001011010100101101001011010", "SECRET_KEYS must hold random keys, not a default, but is not."],
    [
      "LIMITS",
      '{"studio-enter.network":{"points":1,"seconds":1}}',
      String.raw`LIMITS names no limit of src/server/base/limits.ts: studio-enter.network, but is "{\"studio-enter.network\":{\"points\":1,\"seconds\":1}}".`,
    ],
    ["RAFFLE", "{", 'RAFFLE must be JSON such as {"es-419":{"76":3,"83":1}}: whole weights by locale and version, but is "{".'],
  ])("%s=%s is told in one sentence", (name, value, sentence) => {
    expect(complaints({ [name]: value })).toEqual([sentence]);
  });

  it.each(["SECRET_KEYS", "PUBLIC_URL", "SMTP_URL"] as const)("must have %s in production", (name) => {
    const { [name]: _, ...rest } = production;
    expect(complaints(rest)).toEqual([expect.stringContaining(`${name} must be set in production`)]);
  });

  it("must have all of Paddle's keys in production, and never only some of them", () => {
    const { PADDLE_API_KEY, PADDLE_CLIENT_TOKEN: _, PADDLE_WEBHOOK_SECRET: __, ...rest } = production;
    expect(complaints(rest)).toEqual([expect.stringContaining("the stand-in is for development only")]);
    expect(complaints({ ...rest, PADDLE_API_KEY })).toEqual([
      expect.stringContaining("PADDLE_CLIENT_TOKEN and PADDLE_WEBHOOK_SECRET must be set as well"),
    ]);
  });

  it("puts the app's host beside the site's: app where the site has www, unless it is set (spec 001 §2)", () => {
    expect(read({ ...production, PUBLIC_URL: "https://www.parlando.example" }).appUrl).toBe("https://app.parlando.example");
    expect(read(production).appUrl).toBe("https://app.parlando.example");
    expect(read({ ...production, APP_URL: "https://lernen.example" }).appUrl).toBe("https://lernen.example");
  });

  it("must not name this machine as site or back end in production", () => {
    expect(complaints({ ...production, PUBLIC_URL: "http://localhost:3000", BACKENDS: "http://127.0.0.1/api" })).toEqual([
      "PUBLIC_URL must not be this machine in production.",
      "BACKENDS must not be this machine in production.",
    ]);
  });

  describe("outside production", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "parlando-env-"));
    afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

    it("creates a secret once and stores it where only the owner can read it", () => {
      const first = readEnv({ DATA_DIR: join(dataDir, "data") });
      expect(readEnv({ DATA_DIR: join(dataDir, "data") }).secretKeys).toEqual(first.secretKeys);
      expect(first.secretKeys[0].length).toBeGreaterThanOrEqual(32);
      const file = join(dataDir, "data/secret-key");
      expect(readFileSync(file, "utf8").trim()).toBe(first.secretKeys[0]);
      expect(statSync(file).mode & 0o077).toBe(0);
    });
  });

  it("may have two webhook secrets while one is being replaced, and no third", () => {
    expect(readEnv({ ...production, PADDLE_WEBHOOK_SECRET: "old,new" }).paddle?.webhookSecrets).toEqual(["old", "new"]);
    expect(() => readEnv({ ...production, PADDLE_WEBHOOK_SECRET: "a,b,c" })).toThrow("two while one is being replaced");
  });

  it("sells through Paddle Classic with all three of its values, and never with only some", () => {
    const { publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const classic = {
      PADDLE_CLASSIC_VENDOR_ID: "42",
      PADDLE_CLASSIC_AUTH_CODE: "code",
      PADDLE_CLASSIC_PUBLIC_KEY: publicKey.replaceAll("\n", "\\n"),
    };
    expect(readEnv({ ...production, ...classic, PADDLE_CLASSIC_PRODUCTS: '{"subscription-3m-mxn-classic":"7"}' }).paddleClassic).toEqual({
      environment: "sandbox",
      vendorId: "42",
      authCode: "code",
      publicKey,
      products: { "subscription-3m-mxn-classic": "7" },
    });
    expect(readEnv(production).paddleClassic).toBeNull();
    expect(() => readEnv({ ...production, PADDLE_CLASSIC_VENDOR_ID: "42" })).toThrow(
      "PADDLE_CLASSIC_AUTH_CODE and PADDLE_CLASSIC_PUBLIC_KEY must be set as well",
    );
    expect(() => readEnv({ ...production, ...classic, PADDLE_CLASSIC_PUBLIC_KEY: "no key" })).toThrow("must be the vendor's public key");
  });

  it("that is wrong ends the program with exit code 1 and the sentences", () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ["src/main.ts"], {
      env: { ...startedEnv, PORT: "x", LOG_LEVEL: "loud" },
      encoding: "utf8",
    });
    expect([status, stdout, stderr.trim().split("\n")]).toEqual([
      1,
      "",
      [
        'PORT must be a whole number from 0 to 65535, but is "x".',
        'LOG_LEVEL must be fatal, error, warn, info, debug or silent, but is "loud".',
      ],
    ]);
  });
});
