/** The third-party chat widget behind our button (spec 001 §7). */
import { expect, test, vi } from "vitest";
import { createChat } from "./chat.ts";

const zendesk = { vendor: "zendesk", key: "k 1" } as const;

/** An empty stand-in for `window`, on which a widget sets its global. */
function page() {
  const place: Window = Object.create(null);
  return place;
}

test("the chat's script loads once, with the first tap; each tap opens the window", async () => {
  const place = page();
  const opened = vi.fn();
  const load = vi.fn(async (_src: string) => void Reflect.set(place, "zE", opened));
  const chat = createChat(zendesk, load, place);
  expect(load).not.toHaveBeenCalled();
  await chat.open();
  await chat.open();
  expect(load.mock.calls).toEqual([["https://static.zdassets.com/ekr/snippet.js?key=k%201"]]);
  expect(opened.mock.calls).toEqual([
    ["messenger", "open"],
    ["messenger", "open"],
  ]);
});

test("a chat that does not load rejects, and the next tap tries again", async () => {
  const place = page();
  const load = vi.fn(async (_src: string) => {
    if (load.mock.calls.length === 1) throw new Error("blocked");
    Reflect.set(place, "zE", () => {});
  });
  const chat = createChat(zendesk, load, place);
  await expect(chat.open()).rejects.toThrow("blocked");
  await chat.open();
  expect(load).toHaveBeenCalledTimes(2);
});
