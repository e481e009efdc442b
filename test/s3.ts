/** For tests: an S3-compatible object storage with its own check of signatures (Signature Version 4). */
import { escapeHtml } from "#core/escapeHtml.ts";
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { hangingTest } from "./patience.ts";

interface Stored {
  readonly body: Buffer;
  modifiedAt: number;
}

export interface S3Storage {
  readonly env: Readonly<Record<string, string>>;
  /** Objects by bucket and key, like `backups/night/one.sqlite`. */
  readonly objects: Map<string, Stored>;
  /** Number of multipart uploads that were neither completed nor aborted. */
  readonly open: () => number;
  /** Method, path and query of each request with a valid signature. */
  readonly asked: string[];
  /** Answers the next `requests` matching requests with 503. */
  readonly fail: (requests: number, whose: (asked: string) => boolean) => void;
  /** Breaks the connections of the next `requests` matching requests. */
  readonly cut: (requests: number, whose: (asked: string) => boolean) => void;
  readonly close: () => Promise<void>;
}

/** Requests to come that are not answered as usual. */
interface Chosen {
  left: number;
  readonly whose: (asked: string) => boolean;
}

const accessKeyId = "AKIATEST";
const secretAccessKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCY";
const region = "eu-test-1";
const pageSize = 3;
const mostSkewMs = 15 * 60_000;

const hash = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** S3's error code; null when the signature is valid. Written from Amazon's documentation, independently of the client. */
function problemOf(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const { authorization = "", "x-amz-date": date, "x-amz-content-sha256": bodyHash } = request.headers;
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (found === null || typeof date !== "string" || typeof bodyHash !== "string") return "AccessDenied";
  const [, id, day = "", where = "", signed = "", signature] = found;
  if (id !== accessKeyId) return "InvalidAccessKeyId";
  if (where !== region) return "AuthorizationHeaderMalformed";
  const at = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!date.startsWith(day) || !(Math.abs(Date.now() - at) < mostSkewMs)) return "RequestTimeTooSkewed";
  if (hash(body) !== bodyHash) return "XAmzContentSHA256Mismatch";
  const names = signed.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.includes(name))) return "AccessDenied";
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted();
  const path = url.pathname.split("/").map((part) => encoded(decodeURIComponent(part)));
  const headers = names.map((name) => `${name}:${String(request.headers[name]).trim().replaceAll(/ +/g, " ")}\n`);
  const canonical = [request.method, path.join("/"), query.join("&"), headers.join(""), signed, bodyHash].join("\n");
  const scope = `${day}/${where}/s3/aws4_request`;
  const key = [day, where, "s3", "aws4_request"].reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secretAccessKey}`);
  const expected = hmac(key, ["AWS4-HMAC-SHA256", date, scope, hash(canonical)].join("\n")).toString("hex");
  return expected === signature ? null : "SignatureDoesNotMatch";
}

const etagOf = (body: Buffer) => `"${createHash("md5").update(body).digest("hex")}"`;

interface Storage {
  readonly objects: Map<string, Stored>;
  readonly uploads: Map<string, Map<number, Buffer>>;
}

function listPage({ objects }: Storage, bucket: string, query: URLSearchParams): string {
  const prefix = `${bucket}/${query.get("prefix") ?? ""}`;
  const after = query.get("continuation-token");
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const left = after === null ? keys : keys.filter((key) => key > Buffer.from(after, "base64").toString());
  const page = left.slice(0, pageSize);
  const contents = page.map((key) => {
    const modified = new Date(objects.get(key)?.modifiedAt ?? 0).toISOString();
    return `<Contents><Key>${escapeHtml(encoded(key.slice(bucket.length + 1)))}</Key><LastModified>${modified}</LastModified></Contents>`;
  });
  const next =
    left.length > page.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${Buffer.from(page.at(-1) ?? "").toString("base64")}</NextContinuationToken>`
      : "<IsTruncated>false</IsTruncated>";
  return `<ListBucketResult>${next}${contents.join("")}</ListBucketResult>`;
}

function answerUpload(storage: Storage, key: string, method: string, query: URLSearchParams, body: Buffer, response: ServerResponse) {
  const { uploads, objects } = storage;
  if (query.has("uploads")) {
    const id = `upload-${uploads.size + 1}+/=`;
    uploads.set(id, new Map());
    return response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  const id = query.get("uploadId") ?? "";
  const parts = uploads.get(id);
  if (parts === undefined) return response.writeHead(404).end("<Error><Code>NoSuchUpload</Code></Error>");
  if (method === "PUT") {
    parts.set(Number(query.get("partNumber")), body);
    return response.setHeader("etag", etagOf(body)).end();
  }
  uploads.delete(id);
  if (method === "DELETE") return response.writeHead(204).end();
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
  const whole = named.map(([, n]) => parts.get(Number(n)) ?? Buffer.alloc(0));
  if (named.some(([, , etag], n) => etag !== etagOf(whole[n] ?? Buffer.alloc(0))))
    return response.end("<Error><Code>InvalidPart</Code></Error>");
  objects.set(key, { body: Buffer.concat(whole), modifiedAt: Date.now() });
  return response.end("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
}

function answerObject({ objects }: Storage, key: string, method: string, body: Buffer, response: ServerResponse) {
  if (method === "PUT") {
    objects.set(key, { body, modifiedAt: Date.now() });
    return response.setHeader("etag", etagOf(body)).end();
  }
  if (method === "DELETE") {
    objects.delete(key);
    return response.writeHead(204).end();
  }
  const stored = objects.get(key);
  if (stored === undefined) return response.writeHead(404).end(method === "HEAD" ? undefined : "<Error><Code>NoSuchKey</Code></Error>");
  response.setHeader("last-modified", new Date(stored.modifiedAt).toUTCString()).setHeader("content-length", stored.body.length);
  return response.end(method === "HEAD" ? undefined : stored.body);
}

export async function startS3(): Promise<S3Storage> {
  const storage: Storage = { objects: new Map(), uploads: new Map() };
  const asked: string[] = [];
  const none: Chosen = { left: 0, whose: () => false };
  let failing = none;
  let cutting = none;
  const takes = (chosen: Chosen, line: string) => chosen.left > 0 && chosen.whose(line) && chosen.left-- > 0;
  const server = createServer({ keepAliveTimeout: hangingTest }, (request, response) => {
    void buffer(request).then((body) => {
      const url = new URL(request.url ?? "/", "http://storage");
      const { method = "" } = request;
      const problem = problemOf(request, url, body);
      if (problem !== null) return response.writeHead(403).end(`<Error><Code>${problem}</Code></Error>`);
      // Like Amazon's S3, refuses a body without Content-Length.
      if (method === "PUT" && request.headers["content-length"] === undefined)
        return response.writeHead(411).end("<Error><Code>MissingContentLength</Code></Error>");
      const line = `${method} ${request.url}`;
      asked.push(line);
      if (takes(cutting, line)) return request.socket.destroy();
      if (takes(failing, line)) return response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
      const key = decodeURIComponent(url.pathname.slice(1));
      const query = url.searchParams;
      if (query.has("list-type")) return response.end(listPage(storage, key.replace(/\/$/, ""), query));
      if (query.has("uploads") || query.has("uploadId")) return answerUpload(storage, key, method, query, body, response);
      return answerObject(storage, key, method, body, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    objects: storage.objects,
    open: () => storage.uploads.size,
    asked,
    fail: (left, whose) => (failing = { left, whose }),
    cut: (left, whose) => (cutting = { left, whose }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
