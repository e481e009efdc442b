/** Questions and answers of the help page, also for search engines (`seo/structuredData.ts`). */
import type { UiKey } from "#content/texts/ui.ts";
import type { IconName } from "#ui/Icon.tsx";

interface Help {
  readonly id: string;
  readonly icon: IconName;
  readonly title: UiKey;
  readonly texts: readonly UiKey[];
  /** Only about plans that renew: not shown to somebody who paid once. */
  readonly renewing?: true;
}

export const subscriptionHelp: readonly Help[] = [
  {
    id: "cancel",
    icon: "calendar-x",
    title: "page.subscription.cancel",
    renewing: true,
    texts: ["page.subscription.cancel.text1", "page.subscription.cancel.text2"],
  },
  {
    id: "trial",
    icon: "hourglass",
    title: "page.subscription.trial",
    renewing: true,
    texts: ["page.subscription.trial.text1", "page.subscription.trial.text2"],
  },
  {
    id: "refund",
    icon: "wallet",
    title: "page.subscription.refund",
    texts: ["page.subscription.refund.text1", "page.subscription.refund.text2"],
  },
  { id: "help", icon: "life-buoy", title: "page.subscription.help", texts: ["page.subscription.help.text1"] },
];
