/** Version 89: a guide who chats. Sections open with a conversation, and she says paragraphs in bubbles. */
import type { BlockContentInput } from "#blocks/specs.ts";
import { opening } from "./base/guide.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import type { TextKey } from "../texts/questionnaire.ts";
import { defineVersion } from "./define.ts";
import { replace, type Screen } from "./story.ts";

/** What she says before a question. */
const asides: readonly (readonly [number, TextKey])[] = [
  [11, "chat.history"],
  [20, "chat.obstacle"],
  [30, "chat.hour"],
  [37, "chat.serious"],
  [59, "chat.date"],
];

/** Turns paragraphs and descriptions into speech bubbles of the guide. */
function spoken({ contents, ...screen }: Screen): Screen {
  return {
    ...screen,
    contents: contents.map((content): BlockContentInput => {
      if (content.type !== "paragraph" && content.type !== "description") return content;
      return { ...content, type: "bubble" };
    }),
  };
}

export const v89 = defineVersion({
  id: "89",
  hypothesis: "A guide who chats is answered more readily",
  changes: "Conversations open the sections; paragraphs become bubbles",
  traits: { avatarVariant: true },
  questionnaire: (t, version) => {
    const says = (...texts: readonly [from: "guide" | "visitor", key: TextKey][]): BlockContentInput => ({
      type: "chatbot",
      messages: texts.map(([from, key]) => ({ from, text: t(key) })),
    });
    const opened = opening(t, story(t, version), {
      hello: says(["guide", "chat.hello1"], ["visitor", "chat.hello2"], ["guide", "chat.hello3"]),
      level: says(["guide", "level.text"], ["visitor", "chat.level1"], ["guide", "chat.level2"]),
      plan: says(["guide", "chat.plan1"], ["visitor", "chat.plan2"], ["guide", "chat.plan3"]),
      offer: says(["guide", "chat.offer1"], ["visitor", "chat.offer2"], ["guide", "chat.offer3"]),
    });
    return longVersion(t, version, {
      story: asides.reduce(
        (edited, [id, key]) =>
          replace(edited, id, (screen) => ({
            ...screen,
            contents: [{ type: "bubble", text: t(key), figure: "guide" }, ...screen.contents],
          })),
        opened.map(spoken),
      ),
    });
  },
});
