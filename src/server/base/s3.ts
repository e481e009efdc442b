/** A bucket in any storage that speaks S3's protocol. Each request is signed with the hash of its body (Signature Version 4). */
import { AwsClient } from "aws4fetch";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import type { ReadableStream } from "node:stream/web";
import type { S3Place, S3Settings } from "./settings.ts";

/** Larger files are sent in parts of this size, one in memory at a time. S3 takes at most 10,000 parts. */
const partBytes = 16 * 1024 * 1024;
const mostParts = 10_000;
const retries = 4;
const notFound = 404;

export interface StoredObject {
  readonly key: string;
  /** Milliseconds, by the storage's clock. */
  readonly modifiedAt: number;
}

export interface Bucket {
  /** Replaces the object atomically: readers see the old one or the whole new one. */
  readonly putFile: (key: string, file: string, headers?: Readonly<Record<string, string>>) => Promise<void>;
  /** Downloads the object to a new file. False when the key does not exist. */
  readonly getFile: (key: string, file: string) => Promise<boolean>;
  /** Null when the key does not exist. */
  readonly modifiedAt: (key: string) => Promise<number | null>;
  readonly list: (prefix: string) => Promise<readonly StoredObject[]>;
  readonly remove: (key: string) => Promise<void>;
}

/** Null when the address is not of the form `s3://bucket/key`. */
export function readS3Place(address: string): S3Place | null {
  const [, bucket, key = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address) ?? [];
  return bucket === undefined ? null : { bucket, key };
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const unescaped = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? "");
/** The text of an element that has only text in it. S3's answers are flat enough for this. */
function textOf(xml: string, element: string): string | null {
  const from = xml.indexOf(`<${element}>`);
  const to = xml.indexOf(`</${element}>`);
  return from < 0 || to < from ? null : unescaped(xml.slice(from + element.length + 2, to));
}

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const nothing = sha256("");

interface Sent {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

type Send = (sent: Sent) => Promise<Response>;

/** The first wait before another try, ms. It doubles each time. */
const firstWait = 50;
/** Methods that have the same effect when they are sent twice. The others are sent once. */
const repeatable: readonly Sent["method"][] = ["GET", "HEAD", "PUT", "DELETE"];

/**
 * Repeats a request whose connection broke: the storage may close an idle connection just when it is used again. `AwsClient` itself repeats requests
 * that are answered with 429 or 5xx.
 */
async function overConnections(method: Sent["method"], fetching: () => Promise<Response>): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await fetching();
    } catch (error) {
      // `fetch` throws a TypeError for a broken connection, and another error when time is up.
      if (!(error instanceof TypeError) || !repeatable.includes(method) || tries >= retries) throw error;
      await setTimeout(firstWait * 2 ** tries);
    }
  }
}

function sending({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings, bucket: string, withinMs: number | null): Send {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries });
  return async ({ method, key, query, body, headers }) => {
    const url = new URL(`${endpoint}/${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const signal = withinMs === null ? {} : { signal: AbortSignal.timeout(withinMs) };
    const response = await overConnections(method, () =>
      client.fetch(url, {
        method,
        headers: { ...headers, "x-amz-content-sha256": body === undefined ? nothing : sha256(body) },
        ...(body === undefined ? {} : { body }),
        ...signal,
      }),
    );
    if (response.ok || (response.status === notFound && (method === "GET" || method === "HEAD") && key !== "")) return response;
    const said = await response.text();
    throw new Error(`${endpoint} refuses ${method} of s3://${bucket}/${key}: ${textOf(said, "Code") ?? response.status}.`);
  };
}

/** Uploads in parts, which become one object at once. A failed upload is aborted. */
async function putInParts(send: Send, key: string, file: string, size: number, headers: Readonly<Record<string, string>>): Promise<void> {
  const created = await (await send({ method: "POST", key, query: { uploads: "" }, headers })).text();
  const uploadId = textOf(created, "UploadId");
  if (uploadId === null) throw new Error(`The storage did not begin the upload of ${key}.`);
  const length = Math.max(partBytes, Math.ceil(size / mostParts));
  const handle = await open(file);
  try {
    const etags: string[] = [];
    for (let at = 0; at < size; at += length) {
      const body = new Uint8Array(Math.min(length, size - at));
      for (let read = 0; read < body.length;) {
        const { bytesRead } = await handle.read(body, read, body.length - read, at + read);
        if (bytesRead === 0) throw new Error(`${file} became shorter while it was sent.`);
        read += bytesRead;
      }
      const part = await send({ method: "PUT", key, query: { partNumber: String(etags.length + 1), uploadId }, body });
      etags.push(part.headers.get("etag") ?? "");
    }
    const parts = etags.map((etag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${etag}</ETag></Part>`).join("");
    const body = new TextEncoder().encode(`<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`);
    // Joining may take minutes: S3 answers 200 at once and reports a failure in the body.
    const joined = await (await send({ method: "POST", key, query: { uploadId }, body })).text();
    if (!joined.includes("<CompleteMultipartUploadResult"))
      throw new Error(`The storage could not join ${key}: ${textOf(joined, "Code")}.`);
  } catch (error) {
    await send({ method: "DELETE", key, query: { uploadId } }).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

async function listAll(send: Send, prefix: string): Promise<readonly StoredObject[]> {
  const found: StoredObject[] = [];
  for (let token: string | null = null; ;) {
    const query = { "list-type": "2", "encoding-type": "url", prefix, ...(token === null ? {} : { "continuation-token": token }) };
    const xml: string = await (await send({ method: "GET", key: "", query })).text();
    for (const one of xml.split("<Contents>").slice(1)) {
      const key = textOf(one, "Key");
      const modified = textOf(one, "LastModified");
      if (key !== null && modified !== null)
        found.push({ key: decodeURIComponent(key.replaceAll("+", " ")), modifiedAt: Date.parse(modified) });
    }
    token = textOf(xml, "IsTruncated") === "true" ? textOf(xml, "NextContinuationToken") : null;
    if (token === null) return found;
  }
}

/** @param withinMs the time limit for a whole request; null, for large files, sets none */
export function openBucket(settings: S3Settings, bucket: string, withinMs: number | null = null): Bucket {
  const send = sending(settings, bucket, withinMs);
  return {
    putFile: async (key, file, headers = {}) => {
      const { size } = await stat(file);
      if (size > partBytes) return putInParts(send, key, file, size, headers);
      await send({ method: "PUT", key, headers, body: new Uint8Array(await readFile(file)) });
    },
    getFile: async (key, file) => {
      const response = await send({ method: "GET", key });
      if (response.status === notFound || response.body === null) {
        await response.body?.cancel();
        return false;
      }
      await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(file, { flags: "wx", mode: 0o600 }));
      return true;
    },
    modifiedAt: async (key) => {
      const response = await send({ method: "HEAD", key });
      return response.status === notFound ? null : Date.parse(response.headers.get("last-modified") ?? "");
    },
    list: (prefix) => listAll(send, prefix),
    remove: async (key) => void (await send({ method: "DELETE", key })),
  };
}
