/** The two ways to sell, as configured by the operator (spec 001 §9): Paddle Classic by vendor, Paddle Billing by token. */
import { readEnv } from "#server/env.ts";
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";

const publicKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" });
const keys = { PADDLE_API_KEY: "a", PADDLE_CLIENT_TOKEN: "live_token", PADDLE_WEBHOOK_SECRET: "c" };

test("Paddle Billing has a token and an environment, Paddle Classic its vendor's id, and both are live if the settings say so", () => {
  const { paddle, paddleClassic } = readEnv(
    {
      ...keys,
      NODE_ENV: "production",
      PUBLIC_URL: "https://parlando.example",
      SMTP_URL: "smtp://mail.example:25",
      SECRET_KEYS: "Zk3vQ9xT7mB1nR5wY8pL2cJ6dF4hG0sA",
      PADDLE_ENVIRONMENT: "production",
      PADDLE_CLASSIC_VENDOR_ID: "4711",
      PADDLE_CLASSIC_AUTH_CODE: "code",
      PADDLE_CLASSIC_PUBLIC_KEY: String(publicKey),
    },
    () => "kept",
  );
  expect(paddle).toMatchObject({ environment: "production", clientToken: "live_token" });
  expect([paddleClassic?.environment, String(paddleClassic?.vendorId)]).toEqual(["production", "4711"]);
});

test("without them nothing is sold for money: the stand-in is used", () => {
  expect(readEnv({}, () => "kept")).toMatchObject({ paddle: null, paddleClassic: null });
});
