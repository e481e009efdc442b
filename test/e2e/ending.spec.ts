/** Shutdown: on SIGTERM a process becomes unready, answers accepted requests, and exits with 0. */
import { startedEnv } from "#test/startedEnv.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, freePort, longTest, startSite, test } from "./site.ts";

/** One call on a keep-alive connection. @returns its status, or the error */
function ask(url: string, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    request(url, { agent }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", (error) => resolve("code" in error ? String(error.code) : error.message))
      .end();
  });
}

/** The status of a URL; null when nothing listens. */
const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => null,
  );

test("under load on keep-alive connections it becomes unready, then stops listening, and loses no request", async () => {
  const site = await startSite({ DRAIN_MS: "10000" });
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const answers: (number | string)[] = [];
  const balancer = { sends: true };
  const load = Array.from({ length: 20 }, async () => {
    while (balancer.sends) answers.push(await ask(`${site.url}/geo.json`, agent));
  });
  await expect.poll(() => answers.length).toBeGreaterThan(200);

  // A call whose body is incomplete when the port closes.
  const body = JSON.stringify({ email: "nobody@example.com" });
  const { hostname, port } = new URL(site.url);
  const slow = connect(Number(port), hostname);
  let told = "";
  slow.on("data", (bytes) => (told += bytes.toString()));
  slow.write(
    `POST /api/check-email HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\nx-client: parlando-web/5.7.8\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );

  const ended = site.end();
  await expect.poll(() => statusOf(`${site.url}/readyz`)).toBe(503);
  balancer.sends = false;
  await Promise.all(load);
  expect(new Set(answers)).toEqual(new Set([200]));

  await expect.poll(() => statusOf(`${site.url}/readyz`)).toBeNull();
  slow.write(body.slice(10));
  expect(await ended).toBe(0);
  expect(told).toMatch(/^HTTP\/1\.1 200 /);
  expect(site.log()).not.toMatch(/did not stop/);
  agent.destroy();
  await site.stop();
});

const fullDisk = "/dev/full";

longTest("an unwritable log neither ends the process nor prevents its shutdown", async () => {
  test.skip(!existsSync(fullDisk), "The system has no file that is always full.");
  const port = String(await freePort());
  const program = spawn(process.execPath, ["src/main.ts"], {
    env: {
      ...startedEnv,
      DATA_DIR: mkdtempSync(join(tmpdir(), "parlando-journey-")),
      HOST: "127.0.0.1",
      PORT: port,
      LOG_LEVEL: "info",
      BUSY_AFTER_MS: "0",
    },
    stdio: ["ignore", openSync(fullDisk, "w"), "ignore"],
  });
  const ended = once(program, "exit");
  const url = `http://127.0.0.1:${port}`;
  await expect.poll(() => statusOf(`${url}/healthz`)).toBe(200);
  // Each refused call writes a line to the log.
  for (let n = 0; n < 3; n++) expect(await statusOf(`${url}/api/account`)).toBe(401);
  program.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});
