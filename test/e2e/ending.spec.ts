/** A process that is told to end (SIGTERM) says so, answers what it has taken, and ends with 0. */
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { expect, startSite, test } from "./site.ts";

/** One call on a kept connection. @returns its status, or why there is none */
function ask(url: string, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    request(url, { agent }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", (error) => resolve("code" in error ? String(error.code) : error.message))
      .end();
  });
}

/** The status of `/readyz`; null when nobody listens any more. */
const readiness = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => null,
  );

test("under load on kept connections it stops being ready, then listening, and loses no request", async () => {
  const site = await startSite({ DRAIN_MS: "2000" });
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const answers: (number | string)[] = [];
  const balancer = { sends: true };
  const load = Array.from({ length: 20 }, async () => {
    while (balancer.sends) answers.push(await ask(`${site.url}/geo.json`, agent));
  });
  await expect.poll(() => answers.length).toBeGreaterThan(200);

  // A call whose body is still on its way when the port closes.
  const body = JSON.stringify({ email: "nobody@example.com" });
  const { hostname, port } = new URL(site.url);
  const slow = connect(Number(port), hostname);
  let told = "";
  slow.on("data", (bytes) => (told += bytes.toString()));
  slow.write(
    `POST /api/check-email HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\nx-client: parlando-web/5.7.8\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );

  const ended = site.end();
  await expect.poll(() => readiness(site.url)).toBe(503);
  balancer.sends = false;
  await Promise.all(load);
  expect(new Set(answers)).toEqual(new Set([200]));

  await expect.poll(() => readiness(site.url)).toBeNull();
  slow.write(body.slice(10));
  expect(await ended).toBe(0);
  expect(told).toMatch(/^HTTP\/1\.1 200 /);
  expect(site.log()).not.toMatch(/did not stop/);
  agent.destroy();
  await site.stop();
});
