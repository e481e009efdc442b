/** Version 78: Brazil pays in installments. One-time prices and subscriptions side by side; asks for the preferred way to pay. */
import type { BlockContentInput } from "#blocks/specs.ts";
import { oneTime, subscriptions } from "./base/offer.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";
import { insertAfter, lacking, replace } from "./story.ts";

export const v78 = defineVersion({
  id: "78",
  hypothesis: "Brazil pays in instalments",
  changes: "Asks how one likes to pay, and preselects it; one-time prices and subscriptions side by side, instalments in words",
  sold: { products: ["onetime-6M", "onetime-12M", "subscription-1M", "subscription-3M"] },
  defaultIn: ["pt-BR"],
  questionnaire: (t, version) => {
    const ways = [
      {
        id: 1,
        description: t("pay.instalments"),
        detail: t("pay.instalments.detail"),
        icon: "credit-card",
        text: t("pay.instalments.text"),
        meta: { productType: "onetime" },
      },
      {
        id: 2,
        description: t("pay.once"),
        detail: t("pay.once.detail"),
        icon: "badge-check",
        text: t("pay.once.text"),
        meta: { productType: "onetime" },
      },
      {
        id: 3,
        description: t("pay.monthly"),
        detail: t("pay.monthly.detail"),
        icon: "repeat",
        text: t("pay.monthly.text"),
        meta: { productType: "subscription" },
      },
    ] as const;
    const asked = insertAfter(story(t, version), 74, {
      id: 75,
      eyebrow: { text: t("plan.eyebrow"), icon: "target" },
      contents: [
        { type: "title", text: t("pay.title") },
        { type: "description", text: t("pay.text") },
      ],
      options: ways.map((way) => lacking(way, "text")),
    });
    return longVersion(t, version, {
      productConfigurations: [
        ...(["6M", "12M"] as const).map((plan) => {
          const program = oneTime(t, plan, t("once.instalments"));
          // The provider's form has no installments, so the order says who has.
          return { ...program, paymentTexts: { ...program.paymentTexts, paymentFooter: t("pay.payment") } };
        }),
        ...subscriptions(t).filter(({ productPlan }) => productPlan !== "12M"),
      ],
      story: replace(asked, 80, (screen) => ({
        ...screen,
        footnote: t("pay.footnote"),
        contents: screen.contents.flatMap((content): BlockContentInput[] => {
          if (content.type === "description")
            return ways.map(({ id, text }) => ({ ...content, requirements: { rules: [{ questionId: 75, optionId: id }] }, text }));
          // Both kinds of product are on offer, and only one of them is canceled.
          if (content.type === "questions")
            return [{ ...content, items: [{ question: t("doubt.cancel"), answer: t("pay.stop") }, ...content.items.slice(1)] }];
          return [content];
        }),
      })),
    });
  },
});
