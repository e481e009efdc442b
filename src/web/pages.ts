/** Every page by its route: a route without a page does not compile, nor does a page without a route. */
import type { PageRoute } from "#core/routes.ts";
import type { Page } from "./page.ts";
import { page as question } from "./pages/questionnaire/question/page.tsx";

type Loaders<K extends PageRoute> = { readonly [P in K]: () => Promise<{ readonly page: Page }> };
type DeveloperRoute = Extract<PageRoute, `dev/${string}`>;

const inDevelopment = () => Promise.reject(new Error("Developer pages are not in the built site"));
/** Named in one condition, so that the build leaves out what they import (`test/e2e/addresses.spec.ts`). */
const developerPages: Loaders<DeveloperRoute> = import.meta.env.DEV
  ? {
      "dev/index": () => import("./pages/dev/index/page.tsx"),
      "dev/generate": () => import("./pages/dev/generate/page.tsx"),
      "dev/reset": () => import("./pages/dev/reset/page.tsx"),
      "dev/seo": () => import("./pages/dev/seo/page.tsx"),
      "dev/api": () => import("./pages/dev/api/page.tsx"),
      "dev/blocks": () => import("./pages/dev/blocks/page.tsx"),
    }
  : {
      "dev/index": inDevelopment,
      "dev/generate": inDevelopment,
      "dev/reset": inDevelopment,
      "dev/seo": inDevelopment,
      "dev/api": inDevelopment,
      "dev/blocks": inDevelopment,
    };

export const pages: Loaders<PageRoute> = {
  home: () => import("./pages/home/page.tsx"),
  "questionnaire/raffle": () => import("./pages/questionnaire/raffle/page.tsx"),
  // Almost every visit begins with or leads to a question: it comes with the application itself.
  "questionnaire/question": () => Promise.resolve({ page: question }),
  "questionnaire/update-email": () => import("./pages/questionnaire/update-email/page.tsx"),
  "questionnaire/email-exists": () => import("./pages/questionnaire/email-exists/page.tsx"),
  "questionnaire/start-level-test": () => import("./pages/questionnaire/start-level-test/page.tsx"),
  "questionnaire/congratulations": () => import("./pages/questionnaire/congratulations/page.tsx"),
  "questionnaire/thank-you": () => import("./pages/questionnaire/thank-you/page.tsx"),
  "questionnaire/post-purchase": () => import("./pages/questionnaire/post-purchase/page.tsx"),
  "questionnaire/new-confirm": () => import("./pages/questionnaire/new-confirm/page.tsx"),
  "questionnaire/reactivate-or-new": () => import("./pages/questionnaire/reactivate-or-new/page.tsx"),
  "questionnaire/reactivate": () => import("./pages/questionnaire/reactivate/page.tsx"),
  "questionnaire/next-steps": () => import("./pages/questionnaire/next-steps/page.tsx"),
  "questionnaire/initial-level-test": () => import("./pages/questionnaire/initial-level-test/page.tsx"),
  "questionnaire/user": () => import("./pages/questionnaire/user/page.tsx"),
  "questionnaire/verify-email": () => import("./pages/questionnaire/verify-email/page.tsx"),
  "handle-your-subscription": () => import("./pages/handle-your-subscription/page.tsx"),
  "handle-your-subscription/account": () => import("./pages/handle-your-subscription/account/page.tsx"),
  "forgot-password": () => import("./pages/forgot-password/page.tsx"),
  "recover-password": () => import("./pages/recover-password/page.tsx"),
  "login/link": () => import("./pages/login/link/page.tsx"),
  "login/link-sent": () => import("./pages/login/link-sent/page.tsx"),
  "login/expired": () => import("./pages/login/expired/page.tsx"),
  "login/failed": () => import("./pages/login/failed/page.tsx"),
  "login/account-exists": () => import("./pages/login/account-exists/page.tsx"),
  "link/login": () => import("./pages/link/login/page.tsx"),
  "link/confirm-email": () => import("./pages/link/confirm-email/page.tsx"),
  "token-login": () => import("./pages/token-login/page.tsx"),
  "payment/failed": () => import("./pages/payment/failed/page.tsx"),
  "legal/terms": () => import("./pages/legal/terms/page.tsx"),
  "legal/terms-and-conditions": () => import("./pages/legal/terms-and-conditions/page.tsx"),
  "legal/privacy": () => import("./pages/legal/privacy/page.tsx"),
  "legal/licenses": () => import("./pages/legal/licenses/page.tsx"),
  "legal/data-protection-authorities": () => import("./pages/legal/data-protection-authorities/page.tsx"),
  "legal/marketing-and-advertising-networks": () => import("./pages/legal/marketing-and-advertising-networks/page.tsx"),
  "legal/service-providers": () => import("./pages/legal/service-providers/page.tsx"),
  "legal/payment-providers": () => import("./pages/legal/payment-providers/page.tsx"),
  "home-redirect": () => import("./pages/home-redirect/page.tsx"),
  ...developerPages,
  error: () => import("./pages/error/page.tsx"),
  "not-found": () => import("./pages/not-found/page.tsx"),
};
