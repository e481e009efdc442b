/** Version 69: a discount wins back campaign traffic. Twenty-two screens, 50 % off, no e-mail check. */
import { checkoutQuestion, subscriptions } from "./base/offer.ts";
import { shortStory } from "./base/story.ts";
import { shortVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";
import { insertAfter, lacking, replace, type Screen, without } from "./story.ts";

export const v69 = defineVersion({
  id: "69",
  hypothesis: "A discount wins back campaign traffic",
  changes: "Twenty-two screens of the short story; coupon of 50 %; no e-mail check; an existing account goes to reactivate",
  traits: { skipsEmailCheck: true, existingAccountGoesToReactivate: true },
  sold: { products: ["subscription-3M"] },
  questionnaire: (t, version) => {
    const eyebrow = { text: t("comeback.eyebrow"), icon: "percent" };
    const answer = (id: number, image: string, title: Screen["footnote"], text: Screen["footnote"]): Screen => ({
      id,
      contents: [
        { type: "image", image, alt: "" },
        { type: "title", text: title ?? "" },
        { type: "paragraph", text: text ?? "" },
      ],
      options: [{ id: 1, description: t("answer.go") }],
      next: 30,
    });

    // These visitors told us their motive before, so version 69 asks what has stopped them since.
    let edited = without(shortStory(t, version), 4, 5, 6, 7, 8, 9, 20, 28);
    edited = replace(edited, 2, (screen) => ({ ...screen, eyebrow, footnote: t("comeback.footnote") }));
    edited = replace(edited, 3, (screen) => lacking(screen, "followUps"));
    edited = insertAfter(
      edited,
      3,
      {
        id: 10,
        eyebrow,
        contents: [{ type: "title", text: t("comeback.title") }],
        options: [
          { id: 1, description: t("comeback.time"), icon: "clock", followUpQuestion: 16 },
          { id: 2, description: t("comeback.price"), icon: "tag", followUpQuestion: 17 },
          { id: 3, description: t("comeback.doubt"), icon: "message-circle-question-mark", followUpQuestion: 18 },
          { id: 4, description: t("comeback.forgot"), icon: "cloud", followUpQuestion: 30 },
        ],
      },
      answer(16, "coffee", t("answer.time.title"), t("answer.time.text")),
      answer(17, "celebrate", t("comeback.price.title"), t("comeback.price.text")),
      answer(18, "guide", t("comeback.doubt.title"), t("comeback.doubt.text")),
    );
    edited = replace(edited, 80, (screen) => ({
      ...screen,
      eyebrow,
      contents: [
        { type: "title", text: t("comeback.offer.title") },
        { type: "description", text: t("comeback.offer.text") },
        ...screen.contents.filter(({ type }) => type !== "title" && type !== "description"),
      ],
    }));

    // The only offer: there is no other to choose.
    edited = replace(edited, checkoutQuestion, (screen) => ({
      ...screen,
      options: screen.options.map((option) => ({ ...option, description: t("checkout.back") })),
    }));

    return shortVersion(t, version, {
      coupon: { code: "PARLANDO50" },
      productConfigurations: subscriptions(t)
        .filter(({ productPlan }) => productPlan === "3M")
        .map((plan) => ({ ...plan, tag: t("comeback.tag") })),
      story: edited,
    });
  },
});
