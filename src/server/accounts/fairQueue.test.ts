import { expect, it } from "vitest";
import { createFairQueue } from "./fairQueue.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A queue that records by name who waits and what each one got. */
function lineOf(longest: number) {
  const line = createFairQueue(longest, 2);
  const ended: string[] = [];
  const join = (group: string, name: string, lane = 0) =>
    line.wait(group, lane).then((mayGo) => ended.push(`${name} ${mayGo ? "goes" : "is sent away"}`));
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
  // `large` has two waiting and `small` has one. A second one of `small` would make it as large, so it is refused.
  await join("small", "s2");
  expect(ended.at(-1)).toBe("s2 is sent away");
  expect(line.length()).toBe(4);
  void join("fourth", "f1");
  await settled();
  expect(ended.at(-1)).toBe("l2 is sent away");
});

it("serves the first lane first; when full, it evicts from the last lane first, and never in favor of a later lane", async () => {
  const { ended, join, nextOne } = lineOf(3);
  void join("late", "l1", 1);
  void join("late", "l2", 1);
  await settled();
  void join("early", "e1");
  void join("early", "e2");
  void join("early", "e3");
  await settled();
  expect(ended).toEqual(["l2 is sent away", "l1 is sent away"]);
  await join("other", "o1", 1);
  expect(ended.at(-1)).toBe("o1 is sent away");
  await nextOne();
  void join("other", "o2", 1);
  void join("new", "n1");
  await settled();
  while (await nextOne());
  expect(ended.slice(3)).toEqual(["e1 goes", "o2 is sent away", "e2 goes", "n1 goes", "e3 goes"]);
});

it("refuses everybody when its length is zero", async () => {
  const { ended, join } = lineOf(0);
  await join("a", "a1");
  expect(ended).toEqual(["a1 is sent away"]);
});
