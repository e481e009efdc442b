/** A process whose files a stranger would use up with connections. */
import { startedEnv } from "#test/startedEnv.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** A process that may open only so many files. */
async function startProcess(folder: string, files: number) {
  const server = spawn("sh", ["-c", `ulimit -n ${files}; exec "$0" test/serveApi.ts`, process.execPath], {
    env: { ...startedEnv, PORT: "0", BUSY_AFTER_MS: "0", DATA_DIR: folder, BUILD_DIR: folder, ROUNDS: "all" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(server, "exit");
  const [line] = await once(server.stdout, "data");
  const stop = async () => {
    server.kill("SIGKILL");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  return { base: String(line).trim(), stop };
}

it("a stranger's idle connections leave files for everybody else's calls", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlando-connections-"));
  const { base, stop } = await startProcess(folder, files);
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
    await stop();
  }
});

/** A connection that asks for a file and reads only the answer's beginning. @returns it with the answer's status, or an empty one if it was refused */
async function beginFile(port: number): Promise<{ readonly socket: Socket; readonly status: string }> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
  socket.write("GET /media/film.mp4 HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const status = await new Promise<string>((resolve) => {
    socket.once("data", (chunk) => {
      socket.pause();
      resolve(String(chunk).slice("HTTP/1.1 ".length).slice(0, 3));
    });
    socket.once("close", () => resolve("")).on("error", () => resolve(""));
  });
  return { socket, status };
}

it("connections whose clients do not read a file leave files, too: each takes two", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlando-connections-"));
  mkdirSync(join(folder, "media"));
  // More than the buffers of a connection hold.
  writeFileSync(join(folder, "media/film.mp4"), Buffer.alloc(10_000_000));
  const allFiles = 400;
  const { base, stop } = await startProcess(folder, allFiles);
  const begun: Awaited<ReturnType<typeof beginFile>>[] = [];
  try {
    for (let opened = 0; opened < allFiles; opened += 20)
      begun.push(...(await Promise.all(Array.from({ length: 20 }, () => beginFile(Number(new URL(base).port))))));
    expect(new Set(begun.map(({ status }) => status))).toEqual(new Set(["200", ""]));
    for (const { socket } of begun) socket.destroy();
    await expect.poll(() => checkEmail(base, new Agent(), "127.0.0.3")).toBe(200);
  } finally {
    for (const { socket } of begun) socket.destroy();
    await stop();
  }
});
