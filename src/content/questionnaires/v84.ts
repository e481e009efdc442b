/** Version 84: Paddle Billing's inline checkout decides. Information about the card and the guarantee is shown beside the form. */
import { checkoutQuestion } from "./base/offer.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";
import { replace } from "./story.ts";

export const v84 = defineVersion({
  id: "84",
  hypothesis: "An inline checkout that explains itself sells more",
  changes: "What happens with the card and the guarantee stand beside the form; “Agree and continue”",
  traits: { agreeAndContinue: true },
  questionnaire: (t, version) => {
    const prices = replace(story(t, version), 80, (screen) => ({
      ...screen,
      contents: screen.contents.filter(({ type }) => type !== "guarantee"),
    }));
    return longVersion(t, version, {
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
  },
});
