/** Version 84: Paddle Billing's inline checkout carries the decision. What happens with the card, and the guarantee, stand beside the form. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { checkoutQuestion } from "./base/offer.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { replace, type Say } from "./story.ts";

export const v84 = (t: Say): QuestionnaireInput => {
  const prices = replace(story(t, "84"), 80, (screen) => ({
    ...screen,
    contents: screen.contents.filter(({ type }) => type !== "guarantee"),
  }));
  return longVersion(t, "84", {
    story: replace(prices, checkoutQuestion, (screen) => ({
      ...screen,
      contents: [
        ...screen.contents.filter(({ type }) => type !== "paddle"),
        {
          type: "list",
          items: [
            { text: t("inline.here"), detail: t("inline.here.detail"), icon: "credit-card" },
            { text: t("inline.safe"), detail: t("inline.safe.detail"), icon: "lock" },
          ],
        },
        { type: "paddle" },
        { type: "guarantee", title: t("guarantee.title"), text: t("guarantee.text") },
      ],
    })),
  });
};
