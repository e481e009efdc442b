/** Loads pages by route. */
import type { PageRoute } from "#core/routes.ts";
import type { Page } from "./page.ts";
import { page as question } from "./pages/questionnaire/question/page.tsx";

/** The question's page is in the main bundle, because almost every visit shows a question. The table of all others loads with the first of them. */
export async function loadPageModule(route: PageRoute): Promise<{ readonly page: Page }> {
  if (route === "questionnaire/question") return { page: question };
  const { laterPages } = await import("./laterPages.ts");
  return laterPages[route]();
}
