import { createTestApp } from "#test/app.ts";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** More than the buffers of a connection hold. */
const largeFile = 40_000_000;

it("a connection whose client does not read its answer is cut", async () => {
  const buildDir = mkdtempSync(join(tmpdir(), "parlando-silent-"));
  mkdirSync(join(buildDir, "media"));
  writeFileSync(join(buildDir, "media/film.mp4"), Buffer.alloc(largeFile));
  const t = await createTestApp({ database: "sqlite", parts: { buildDir, silentConnectionMs: 300 } });
  const { port } = new URL(await t.app.listen({ port: 0, host: "127.0.0.1" }));
  const socket = connect(Number(port), "127.0.0.1");
  onTestFinished(async () => {
    socket.destroy();
    await t.close();
    rmSync(buildDir, { recursive: true, force: true });
  });
  const connections = () =>
    new Promise((resolve, reject) => t.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  socket.on("error", () => undefined);
  socket.pause();
  socket.write("GET /media/film.mp4 HTTP/1.1\r\nHost: a\r\n\r\n");
  await expect.poll(connections).toBe(1);
  await expect.poll(connections).toBe(0);
});
