/**
 * Version 79: visitors who name their own gaps commit more. Three choice lists and one sentence to say aloud replace the details of an
 * obstacle.
 */
import type { ListField } from "#core/questionnaire/state.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";
import { insertAfter, insertBefore, lacking, without } from "./story.ts";

/** Shows a choice again, later, to those who made it. */
const chosenIn =
  (list: ListField) =>
  <Item extends { readonly id: string }>({ id, ...item }: Item) => ({ ...item, chosen: { list, item: id } });

export const v79 = defineVersion({
  id: "79",
  hypothesis: "Naming one's own gaps commits",
  changes: "Three lists to choose from and one sentence said out loud, instead of the details of an obstacle",
  questionnaire: (t, version) => {
    const skills = [
      { id: "speaking", text: t("skills.speaking"), icon: "mic" },
      { id: "listening", text: t("skills.listening"), icon: "ear" },
      { id: "pronunciation", text: t("skills.pronunciation"), icon: "message-circle" },
      { id: "words", text: t("skills.words"), icon: "puzzle" },
      { id: "writing", text: t("skills.writing"), icon: "pencil" },
      { id: "calm", text: t("skills.calm"), icon: "heart" },
    ];
    let edited = without(story(t, version), 21, 22, 23, 24, 25);
    edited = insertBefore(
      edited,
      20,
      {
        id: 16,
        eyebrow: { text: t("history.eyebrow"), icon: "message-circle" },
        scroll: "onPass",
        contents: [
          { type: "title", text: t("skills.title") },
          { type: "description", text: t("skills.text") },
          { type: "skillsToImprove", items: skills },
        ],
        options: [{ id: 1, description: t("go.continue") }],
      },
      {
        id: 17,
        contents: [
          { type: "image", image: "point", alt: "" },
          { type: "title", text: t("skills.said.title") },
          { type: "paragraph", text: t("skills.said.text") },
          { type: "list", items: skills.map(chosenIn("skillsToImprove")) },
        ],
        options: [{ id: 1, description: t("go.continue") }],
      },
      {
        id: 18,
        eyebrow: { text: t("aloud.eyebrow"), icon: "mic" },
        contents: [
          { type: "title", text: t("aloud.title") },
          { type: "bubble", text: "I’m going to speak English. Little by little, but out loud.", lang: "en" },
          { type: "wait", duration: 5000, text: t("aloud.wait") },
        ],
        options: [
          { id: 1, description: t("aloud.go"), buttonStyle: "primary" },
          { id: 2, description: t("aloud.skip"), buttonStyle: "link" },
        ],
      },
    );
    const facts = [
      { id: "lessons", text: t("info.lessons"), detail: t("info.lessons.detail"), icon: "video" },
      { id: "teachers", text: t("info.teachers"), detail: t("info.teachers.detail"), icon: "user-round" },
      { id: "app", text: t("info.app"), detail: t("info.app.detail"), icon: "smartphone" },
      { id: "break", text: t("info.break"), detail: t("info.break.detail"), icon: "calendar-x" },
      { id: "stop", text: t("info.stop"), detail: t("info.stop.detail"), icon: "rotate-ccw" },
    ];
    edited = insertAfter(
      edited,
      33,
      {
        id: 34,
        eyebrow: { text: t("info.eyebrow"), icon: "info" },
        scroll: "onPass",
        contents: [
          { type: "title", text: t("info.title") },
          { type: "moreInfoOf", items: facts.map((fact) => lacking(fact, "detail")) },
        ],
        options: [{ id: 1, description: t("go.continue") }],
      },
      {
        id: 35,
        eyebrow: { text: t("info.eyebrow"), icon: "info" },
        contents: [
          { type: "title", text: t("info.answers") },
          { type: "list", items: facts.map(chosenIn("moreInfoOf")) },
        ],
        options: [{ id: 1, description: t("info.go") }],
      },
    );
    edited = insertAfter(edited, 64, {
      id: 65,
      eyebrow: { text: t("plan.eyebrow"), icon: "target" },
      scroll: "onPass",
      contents: [
        { type: "title", text: t("wish.title") },
        { type: "description", text: t("wish.text") },
        {
          type: "programChangeWish",
          items: [
            { id: "speaking", text: t("wish.speaking"), icon: "messages-square" },
            { id: "people", text: t("wish.people"), icon: "users" },
            { id: "nothing", text: t("wish.nothing"), icon: "thumbs-up" },
          ],
        },
      ],
      options: [{ id: 1, description: t("go.continue") }],
    });
    return longVersion(t, version, { story: edited });
  },
});
