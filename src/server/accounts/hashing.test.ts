import { readdirSync, readFileSync } from "node:fs";
import { constants, platform } from "node:os";
import { expect, it } from "vitest";
import { hash, verify } from "./hashing.ts";

it("a hash matches only its password, and a malformed hash is an error", async () => {
  const encoded = await hash("correct horse");
  expect(encoded).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await Promise.all([verify(encoded, "correct horse"), verify(encoded, "wrong horse")])).toEqual([true, false]);
  await expect(verify("no hash", "correct horse")).rejects.toThrow();
  expect(await verify(encoded, "correct horse")).toBe(true);
});

it.runIf(platform() === "linux")("hashing threads have a lower priority than the main thread", async () => {
  await hash("correct horse");
  // In "pid (name) state …", the 18th field is the priority and the 19th the nice value.
  const niceness = (path: string) => Number(readFileSync(path, "utf8").split(") ")[1]?.split(" ")[16]);
  const mine = niceness("/proc/thread-self/stat");
  const all = readdirSync("/proc/self/task").map((task) => niceness(`/proc/self/task/${task}/stat`));
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  expect(all).toContain(mine);
  expect(all).toContain(Math.min(PRIORITY_LOW, mine + PRIORITY_BELOW_NORMAL));
});
