/** For tests: an SMTP server that answers some mails with endless lines, so that no idle timeout applies. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

export interface TricklingSmtp {
  readonly url: string;
  /** Recipients of the accepted mails. `ids` holds the ids of these mails. */
  readonly taken: readonly string[];
  readonly ids: readonly string[];
  /** Number of mails with a pending endless answer: those to recipients that begin with `slow`. */
  readonly trickling: () => number;
  readonly connections: () => number;
  /** Accepts every mail from now on. */
  readonly answer: () => void;
  readonly close: () => Promise<void>;
}

const trickleEveryMs = 10;

export async function startTricklingSmtp(): Promise<TricklingSmtp> {
  const taken: string[] = [];
  const ids: string[] = [];
  const waiting = new Map<Socket, { readonly recipient: string; readonly id: string; readonly timer: NodeJS.Timeout }>();
  const open = new Set<Socket>();
  let slow = true;

  function take(socket: Socket, recipient: string, id: string): void {
    taken.push(recipient);
    ids.push(id);
    socket.write("250 taken\r\n");
  }
  function receive(socket: Socket, recipient: string, id: string): void {
    if (!slow || !recipient.startsWith("slow")) return take(socket, recipient, id);
    waiting.set(socket, { recipient, id, timer: setInterval(() => socket.write("250-still at it\r\n"), trickleEveryMs) });
  }
  function forget(socket: Socket): void {
    clearInterval(waiting.get(socket)?.timer);
    waiting.delete(socket);
    open.delete(socket);
  }

  const server = createServer((socket) => {
    open.add(socket);
    let [recipient, id, inMail, rest] = ["", "", false, ""];
    socket.on("error", () => socket.destroy());
    socket.on("close", () => forget(socket));
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString("latin1")).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (inMail) {
          if (/^message-id:/i.test(line)) id = line.slice(line.indexOf("<"));
          if (line !== ".") continue;
          inMail = false;
          receive(socket, recipient, id);
          continue;
        }
        if (line.startsWith("RCPT")) recipient = line.slice(line.indexOf("<") + 1, line.indexOf(">"));
        inMail = line === "DATA";
        socket.write(inMail ? "354 go on\r\n" : "250 fine\r\n");
      }
    });
    socket.write("220 here\r\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The SMTP server has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    taken,
    ids,
    trickling: () => waiting.size,
    connections: () => open.size,
    answer: () => {
      slow = false;
      for (const [socket, { recipient, id, timer }] of waiting) {
        clearInterval(timer);
        waiting.delete(socket);
        take(socket, recipient, id);
      }
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
