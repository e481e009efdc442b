/** Every page by its route: a route without a page does not compile, nor does a page without a route. */
import type { PageRoute } from "#core/routes.ts";
import type { Page } from "./page.ts";
import { page as question } from "./pages/questionnaire/question/page.tsx";

export const pages: { readonly [K in PageRoute]: () => Promise<{ readonly page: Page }> } = {
  home: () => import("./pages/home/page.tsx"),
  "questionnaire/raffle": () => import("./pages/questionnaire/raffle/page.tsx"),
  "questionnaire/root": () => import("./pages/questionnaire/root/page.tsx"),
  // Almost every visit begins with or leads to a question: it comes with the application itself.
  "questionnaire/question": () => Promise.resolve({ page: question }),
  "questionnaire/start-level-test": () => import("./pages/questionnaire/start-level-test/page.tsx"),
  "questionnaire/thank-you": () => import("./pages/questionnaire/thank-you/page.tsx"),
  "questionnaire/post-purchase": () => import("./pages/questionnaire/post-purchase/page.tsx"),
  "questionnaire/user": () => import("./pages/questionnaire/user/page.tsx"),
  "questionnaire/verify-email": () => import("./pages/questionnaire/verify-email/page.tsx"),
  "payment/failed": () => import("./pages/payment/failed/page.tsx"),
  "legal/terms": () => import("./pages/legal/terms/page.tsx"),
  "legal/terms-and-conditions": () => import("./pages/legal/terms-and-conditions/page.tsx"),
  "legal/privacy": () => import("./pages/legal/privacy/page.tsx"),
  "legal/licenses": () => import("./pages/legal/licenses/page.tsx"),
  "legal/data-protection-authorities": () => import("./pages/legal/data-protection-authorities/page.tsx"),
  "legal/marketing-and-advertising-networks": () => import("./pages/legal/marketing-and-advertising-networks/page.tsx"),
  "legal/service-providers": () => import("./pages/legal/service-providers/page.tsx"),
  "legal/payment-providers": () => import("./pages/legal/payment-providers/page.tsx"),
  "not-found": () => import("./pages/not-found/page.tsx"),
};
