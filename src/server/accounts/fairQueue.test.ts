import { expect, it } from "vitest";
import { createFairQueue } from "./fairQueue.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A queue that records who waits, by name, and what each one got. */
function lineOf(longest: number) {
  const line = createFairQueue(longest);
  const ended: string[] = [];
  const join = (group: string, name: string) => line.wait(group).then((mayGo) => ended.push(`${name} ${mayGo ? "goes" : "is sent away"}`));
  const nextOne = async () => {
    const was = line.next();
    await settled();
    return was;
  };
  return { line, ended, join, nextOne };
}

it("serves groups in turn, and each group in order of arrival", async () => {
  const { line, ended, join, nextOne } = lineOf(9);
  for (const [group, name] of [
    ["a", "a1"],
    ["a", "a2"],
    ["b", "b1"],
    ["a", "a3"],
    ["b", "b2"],
  ] as const)
    void join(group, name);
  expect(line.length()).toBe(5);
  while (await nextOne());
  expect(ended).toEqual(["a1 goes", "b1 goes", "a2 goes", "b2 goes", "a3 goes"]);
  expect([line.length(), line.next()]).toEqual([0, false]);
});

it("when full, evicts the last of the largest group for a smaller group, and refuses that largest group's newcomers", async () => {
  const { line, ended, join } = lineOf(4);
  void join("small", "s1");
  for (const name of ["l1", "l2", "l3"]) void join("large", name);
  await join("large", "l4");
  void join("other", "o1");
  await settled();
  expect(ended).toEqual(["l4 is sent away", "l3 is sent away"]);
  expect(line.length()).toBe(4);
  // Two of large are left, so a second one of small would make the groups equal.
  await join("small", "s2");
  expect(ended.at(-1)).toBe("s2 is sent away");
  expect(line.length()).toBe(4);
  void join("fourth", "f1");
  await settled();
  expect(ended.at(-1)).toBe("l2 is sent away");
});

it("refuses everybody when it has no places", async () => {
  const { ended, join } = lineOf(0);
  await join("a", "a1");
  expect(ended).toEqual(["a1 is sent away"]);
});
