/** What one network may send to one process. */
import { createTestApp, type TestApp } from "#test/app.ts";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";

let t: TestApp;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  return t.close();
});
const limits = { "bodies.network": { points: 300, seconds: 60 }, "check-email.network": { points: 1_000, seconds: 60 } };
const padded = (kilobytes: number) => ({ email: "free@example.com", padding: "x".repeat(kilobytes * 1_000) });

it("bodies of one network have a limit for all calls together, and other networks have their own", async () => {
  t = await createTestApp({ database: "sqlite", settings: { limits } });
  await t.call("checkEmail", { body: padded(140), from: "203.0.113.1" });
  await t.call("checkEmail", { body: padded(140), from: "203.0.113.1" });
  expect(await t.refusal("login", { body: padded(140), from: "203.0.113.1" })).toMatchObject({
    code: 1429,
    retryAfter: expect.closeTo(60, -2),
  });
  await t.call("checkEmail", { body: padded(140), from: "203.0.113.2" });
  // The networks of one /48 have one customer.
  for (const from of ["2001:db8:1:1::1", "2001:db8:1:2::1"]) await t.call("checkEmail", { body: padded(140), from });
  expect(await t.refusal("checkEmail", { body: padded(140), from: "2001:db8:1:3::1" })).toMatchObject({ code: 1429 });
  // A call without a body counts nothing.
  await t.call("geo", { from: "203.0.113.1" });
});

it.each([
  ["announces its size", "Content-Length: 250000"],
  ["comes in chunks", "Transfer-Encoding: chunked"],
])("a body that %s is refused above the limit before it is read", async (_, size) => {
  t = await createTestApp({ database: "sqlite", settings: { limits } });
  const { port } = new URL(await t.app.listen({ port: 0, host: "127.0.0.1" }));
  await t.call("checkEmail", { body: padded(200), from: "127.0.0.1" });
  for (const path of ["/api/check-email", "/studio/api/signInLink"]) {
    const socket = connect(Number(port), "127.0.0.1");
    sockets.push(socket);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nOrigin: https://parlando.example\r\nContent-Type: application/json\r\n${size}\r\n\r\n`,
    );
    // Nothing of the body was sent.
    const [answer] = await once(socket, "data");
    expect([path, String(answer).slice(0, 12)]).toEqual([path, "HTTP/1.1 429"]);
  }
});

it.each(["/", "/nothing", "/healthz", "/geo.json", "/assets/none.js", "/studio/none"])(
  "a body that is sent to %s, where nothing takes one, is answered before it is read",
  async (path) => {
    t = await createTestApp({ database: "sqlite" });
    const { port } = new URL(await t.app.listen({ port: 0, host: "127.0.0.1" }));
    for (const method of ["POST", "PUT", "DELETE"]) {
      const socket = connect(Number(port), "127.0.0.1");
      sockets.push(socket);
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 250000\r\n\r\n`);
      const [answer] = await once(socket, "data");
      expect([method, String(answer).slice(0, 12)]).toEqual([method, "HTTP/1.1 404"]);
    }
  },
);

it("whoever announces large bodies keeps nobody behind the same address from small calls, until those are too many as well", async () => {
  const few = { points: 5, seconds: 60 };
  t = await createTestApp({ database: "sqlite", settings: { limits: { ...limits, "small-bodies.network": few } } });
  // The server reads nothing of this body.
  expect((await t.send("login", { body: padded(300), from: "127.0.0.1" })).statusCode).toBe(413);
  expect(await t.refusal("checkEmail", { body: padded(140), from: "127.0.0.1" })).toMatchObject({ code: 1429 });
  // Many names in a small body cost no more than the small body.
  const body = { email: "free@example.com", ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [n, 0])) };
  for (let n = 0; n < few.points; n++) await t.call("checkEmail", { body, from: "127.0.0.1" });
  expect(await t.refusal("checkEmail", { body, from: "127.0.0.1" })).toMatchObject({ code: 1429 });
  expect(await t.refusal("checkEmail", { body: padded(5), from: "127.0.0.1" })).toMatchObject({ code: 1429 });
  await t.call("checkEmail", { body: padded(5), from: "203.0.113.1" });
});

it("names in a body count beside its size, because they take longer to parse", async () => {
  t = await createTestApp({ database: "sqlite", settings: { limits } });
  const names = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`n${n}`, 0]));
  const body = { email: "free@example.com", ...names };
  await t.call("checkEmail", { body, from: "203.0.113.1" });
  // 60 kB each: by size alone, five would fit.
  expect(await t.refusal("checkEmail", { body, from: "203.0.113.1" })).toMatchObject({ code: 1429, retryAfter: expect.closeTo(60, -2) });
  await t.call("checkEmail", { body, from: "203.0.113.2" });
});

it("bodies with very many names are parsed one at a time, after all else that waits", async () => {
  t = await createTestApp({ database: "sqlite" });
  const names = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`k${n}`, 0]));
  const done: string[] = [];
  const send = async (body: object, from: string, name: string) => {
    const { statusCode } = await t.send("checkEmail", { body: { email: "free@example.com", ...body }, from });
    done.push(`${name} ${statusCode}`);
  };
  const sent = Array.from({ length: 30 }, (_, n) => send(names, `203.0.113.${n}`, "many"));
  await Promise.all([...sent, send({}, "198.51.100.1", "few")]);
  expect(done.filter((answer) => answer === "many 200")).toHaveLength(30);
  expect(done.indexOf("few 200")).toBeLessThan(10);
});
