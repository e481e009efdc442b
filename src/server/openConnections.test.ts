/** A process whose files a stranger would use up with idle connections. */
import { startedEnv } from "#test/startedEnv.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const files = 300;

const body = JSON.stringify({ email: "free@example.com" });

/** A call on a connection of its own, which stays open. @returns the status, or the connection's error */
function checkEmail(base: string, agent: Agent, localAddress: string): Promise<number | string> {
  return new Promise((resolve) => {
    request(
      `${base}/api/check-email`,
      { agent, localAddress, method: "POST", headers: { "content-type": "application/json" } },
      (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0)),
    )
      .on("error", (error) => resolve(error.message))
      .end(body);
  });
}

/** A connection that stays open after a request. The server may refuse it. */
async function openIdle(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
  socket.write("GET /geo.json HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await new Promise((resolve) => socket.once("data", resolve).once("close", resolve).on("error", resolve));
  return socket;
}

it("a stranger's idle connections leave files for everybody else's calls", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlando-connections-"));
  const server = spawn("sh", ["-c", `ulimit -n ${files}; exec "$0" test/serveApi.ts`, process.execPath], {
    env: { ...startedEnv, PORT: "0", BUSY_AFTER_MS: "0", DATA_DIR: folder, ROUNDS: "all" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(server, "exit");
  const [line] = await once(server.stdout, "data");
  const base = String(line).trim();
  const idle: Socket[] = [];
  try {
    for (let opened = 0; opened < files * 2; opened += 50)
      idle.push(...(await Promise.all(Array.from({ length: 50 }, () => openIdle(Number(new URL(base).port))))));
    const answers: (number | string)[] = [];
    for (let visitor = 0; visitor < 6; visitor++) {
      const own = new Agent();
      answers.push(await checkEmail(base, own, "127.0.0.3"));
      own.destroy();
    }
    // The first call of a browser may be refused; its next one finds room.
    expect(answers.slice(1)).toEqual(Array.from({ length: 5 }, () => 200));
  } finally {
    for (const socket of idle) socket.destroy();
    server.kill("SIGKILL");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
});
