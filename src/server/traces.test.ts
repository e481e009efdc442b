/** Traces of a process, as a collector receives them. */
import { signature } from "#standins/paddle/deliveries.ts";
import { startApi } from "#test/apiProcess.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import * as v from "valibot";
import { expect, it } from "vitest";

const span = v.object({
  traceId: v.string(),
  spanId: v.string(),
  parentSpanId: v.optional(v.string()),
  name: v.string(),
  attributes: v.array(v.object({ key: v.string(), value: v.unknown() })),
  status: v.object({ code: v.number() }),
});
const request = v.object({ resourceSpans: v.array(v.object({ scopeSpans: v.array(v.object({ spans: v.array(span) })) })) });
type Span = v.InferOutput<typeof span>;

/** A collector that speaks OTLP over HTTP with JSON. */
async function startCollector() {
  const spans: Span[] = [];
  const keys: unknown[] = [];
  const hears: (() => void)[] = [];
  const server = createServer((asked, answer) => {
    void json(asked).then((body) => {
      if (asked.method !== "POST" || asked.url !== "/v1/traces") return answer.writeHead(404).end();
      keys.push(asked.headers["api-key"]);
      spans.push(...v.parse(request, body).resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
      for (const hear of hears.splice(0)) hear();
      return answer.setHeader("content-type", "application/json").end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const until = async (found: (span: Span) => boolean): Promise<Span> => {
    for (;;) {
      const there = spans.find(found);
      if (there !== undefined) return there;
      await new Promise<void>((resolve) => hears.push(resolve));
    }
  };
  return { spans, keys, until, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

it("follow a page's call to its queries, and mails and webhooks in traces of their own; no span has a value or an address", async () => {
  const collector = await startCollector();
  const folder = mkdtempSync(join(tmpdir(), "parlando-traces-"));
  const secret = "pdl_ntfset_test";
  const api = await startApi(
    {
      DATA_DIR: folder,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=of%20ours",
      SMTP_URL: "smtp://127.0.0.1:9",
      PADDLE_API_KEY: "key",
      PADDLE_CLIENT_TOKEN: "token",
      PADDLE_WEBHOOK_SECRET: secret,
    },
    "ignore",
  );
  const page = await fetch(`${api.base}/es-419`);
  const [, traceparent = "", traceId = ""] =
    /traceparent;desc="(00-([0-9a-f]{32})-[0-9a-f]{16}-01)"/.exec(page.headers.get("server-timing") ?? "") ?? [];
  expect(traceId).not.toBe("");
  const person = {
    uuid: "0b0d1c3e-5d9b-4c58-9d3e-1f1e0a6a7b11",
    email: "traced@ejemplo.mx",
    password: "correct horse",
    uiLanguage: "es-419",
    questionnaire: "76",
    version: "v5.7.8",
  };
  const headers = { "content-type": "application/json", traceparent };
  const signedUp = await fetch(`${api.base}/api/signup`, { method: "POST", headers, body: JSON.stringify(person) });
  expect(signedUp.status).toBe(200);
  const raw = JSON.stringify({
    event_id: "evt_1",
    event_type: "address.created",
    occurred_at: "2026-11-20T12:00:00Z",
    data: { id: "add_1" },
  });
  const hooked = await fetch(`${api.base}/api/webhooks/paddle-billing`, {
    method: "POST",
    headers: { "content-type": "application/json", "paddle-signature": signature(secret, raw, Math.floor(Date.now() / 1_000)) },
    body: raw,
  });
  expect(hooked.status).toBe(200);

  const call = await collector.until(({ name }) => name.startsWith("POST signup"));
  expect([call.traceId, call.parentSpanId]).toEqual([traceId, traceparent.split("-")[2]]);
  const write = await collector.until(({ name, parentSpanId }) => name === "INSERT" && parentSpanId === call.spanId);
  expect([write.traceId, JSON.stringify(write.attributes)]).toEqual([traceId, expect.stringMatching(/insert into/i)]);
  // Nobody listens at this address.
  const mail = await collector.until(({ name }) => name === "mail");
  expect(mail.status.code).toBe(2);
  const webhook = await collector.until(({ name }) => name === "webhook");
  expect(JSON.stringify(webhook.attributes)).toContain("evt_1");
  await collector.until(({ name, parentSpanId }) => name === "UPDATE" && parentSpanId === webhook.spanId);
  expect(JSON.stringify(collector.spans)).not.toMatch(/traced@|correct horse|0b0d1c3e/);
  expect(new Set(collector.keys)).toEqual(new Set(["of ours"]));
  await api.kill();
  collector.close();
  rmSync(folder, { recursive: true, force: true });
});
