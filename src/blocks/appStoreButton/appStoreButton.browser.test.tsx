import { renderBlock } from "#test/renderBlock.tsx";
import { expect, test } from "vitest";

const content = { type: "appStoreButton" } as const;
const links = async (options: Parameters<typeof renderBlock>[1]) =>
  (await renderBlock(content, options)).all("a").map((link) => link.textContent);

test("a device gets its own store, an unknown one both", async () => {
  expect(await links({ context: { platform: "android" } })).toEqual(["block.appStoreButton.android"]);
  expect(await links({ context: { platform: "apple" } })).toEqual(["block.appStoreButton.apple"]);
  expect(await links({ context: { platform: "other" } })).toEqual(["block.appStoreButton.apple", "block.appStoreButton.android"]);
});

test("a store without a configured link is omitted", async () => {
  expect(await links({ site: { appStoreLinks: { android: null, apple: "https://apps.apple.com/app/id1" } } })).toEqual([
    "block.appStoreButton.apple",
  ]);
});
