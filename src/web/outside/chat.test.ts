/** The third-party chat widget behind our button (spec 001 §7). */
import { allGrants, noGrants } from "#core/consent.ts";
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
  expect(opened.mock.calls.filter(([, what]) => what === "open")).toEqual([
    ["messenger", "open"],
    ["messenger", "open"],
  ]);
});

test.each([
  ["zendesk", ["messenger:set cookies true", "messenger show", "messenger open"], ["messenger hide", "messenger:set cookies false"]],
  ["intercom", ["boot k", "show"], ["shutdown"]],
  ["crisp", ["do chat:show", "do chat:open"], ["do chat:hide", "do session:reset"]],
  ["freshchat", ["init k", "open"], ["destroy"]],
] as const)("a withdrawal takes %s off the page, and a tap after a new consent opens it again", async (vendor, opens, ends) => {
  const place = page();
  const said: string[] = [];
  const say = (...words: readonly unknown[]) =>
    void said.push(
      words
        .flat()
        .map((word) => (typeof word === "object" ? Object.values(word ?? {})[0] : word))
        .join(" "),
    );
  const widget = Object.fromEntries(["init", "open", "destroy"].map((name) => [name, (...words: unknown[]) => say(name, ...words)]));
  const load = async () => {
    Reflect.set(place, "zE", say);
    Reflect.set(place, "Intercom", say);
    Reflect.set(place, "$crisp", { push: say });
    Reflect.set(place, "fcWidget", widget);
  };
  const chat = createChat({ vendor, key: "k" }, load, place);
  chat.consent(noGrants);
  chat.consent(allGrants);
  expect(said).toEqual([]);
  const opening = chat.open();
  chat.consent(noGrants);
  await opening;
  expect(said).toEqual([]);
  chat.consent(allGrants);
  await chat.open();
  chat.consent({ ...allGrants, marketing: false });
  expect(said).toEqual(opens);
  chat.consent(noGrants);
  chat.consent(noGrants);
  expect(said).toEqual([...opens, ...ends]);
  chat.consent(allGrants);
  await chat.open();
  expect(said).toEqual([...opens, ...ends, ...opens]);
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
