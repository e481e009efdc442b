import { describe, expect, it } from "vitest";
import { insertAfter, insertBefore, lacking, questionsOf, remove, replace, rewire, type Screen, without } from "./story.ts";

const screen = (id: number, next?: number): Screen => ({
  id,
  contents: [],
  options: [{ id: 1, description: "on" }],
  ...(next !== undefined && { next }),
});
/** 2 → 3 → 4, and a branch from 2 to 4. */
const story = [{ ...screen(2, 3), followUps: [{ followUpQuestion: 4 }] }, screen(3, 4), screen(4)];
const links = (of: readonly Screen[]) => of.map(({ id, next }) => [id, next]);

describe("a story", () => {
  it("writes its next screen into options without a follow-up", () => {
    const [question] = questionsOf([
      {
        ...screen(2, 3),
        options: [
          { id: 1, description: "a" },
          { id: 2, description: "b", followUpQuestion: 9 },
          { id: 3, type: "ToPrevious", description: "c" },
          { id: 4, type: "ToHomePage", description: "d" },
        ],
      },
    ]);
    expect(question?.options.map(({ followUpQuestion }) => followUpQuestion)).toEqual([3, 9, undefined, undefined]);
    expect(question).not.toHaveProperty("next");
  });

  it("inserts several screens after one, in order", () => {
    expect(links(insertAfter(story, 2, screen(10), screen(11)))).toEqual([
      [2, 10],
      [10, 11],
      [11, 3],
      [3, 4],
      [4, undefined],
    ]);
    expect(links(insertAfter(story, 2))).toEqual(links(story));
  });

  it("inserts screens before one: links to it lead to the first inserted screen", () => {
    const edited = insertBefore(story, 4, screen(10), screen(11));
    expect(links(edited)).toEqual([
      [2, 3],
      [3, 10],
      [10, 11],
      [11, 4],
      [4, undefined],
    ]);
    expect(edited[0]?.followUps).toEqual([{ followUpQuestion: 10 }]);
    expect(links(insertBefore(story, 4))).toEqual(links(story));
  });

  it("removes several screens, or a field, without changing the original", () => {
    const longer = [screen(1, 2), ...story];
    expect(links(without(longer, 2, 3))).toEqual([
      [1, 4],
      [4, undefined],
    ]);
    const original = screen(2, 3);
    expect(lacking(original, "next")).not.toHaveProperty("next");
    expect(original).toHaveProperty("next", 3);
  });

  it("names each missing screen and field before an edit fails on it", () => {
    const broken = story.map((one) => ({ ...one }));
    Reflect.deleteProperty(broken[1] ?? {}, "options");
    Reflect.deleteProperty(broken[2] ?? {}, "id");
    for (const edit of [
      questionsOf,
      (of: readonly Screen[]) => rewire(of, 3, 4),
      (of: readonly Screen[]) => insertAfter(of, 2, screen(10)),
    ])
      expect(() => edit(broken)).toThrow("Screen 3 lacks options. The screen after 3 lacks id.");
  });

  it("links around a removed screen", () => {
    expect(links(remove(story, 3))).toEqual([
      [2, 4],
      [4, undefined],
    ]);
    expect(() => remove(story, 4)).toThrow("Screen 4 has no next screen");
  });

  it("rewires `next`, follow-ups and options", () => {
    const rewired = rewire(
      [{ ...screen(2, 4), followUps: [{ followUpQuestion: 4 }], options: [{ id: 1, description: "a", followUpQuestion: 4 }] }],
      4,
      5,
    );
    expect(rewired[0]).toMatchObject({ next: 5, followUps: [{ followUpQuestion: 5 }], options: [{ followUpQuestion: 5 }] });
  });

  it("replaces one screen, and throws for an unknown id", () => {
    expect(replace(story, 3, (old) => ({ ...old, tiles: true })).map(({ tiles }) => tiles)).toEqual([undefined, true, undefined]);
    expect(() => replace(story, 99, (old) => old)).toThrow("No screen 99");
  });
});
