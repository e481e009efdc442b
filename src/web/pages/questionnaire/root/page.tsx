import type { Page } from "../../../page.ts";

/** Never shown: the server redirects to the first question (spec 001 §2). */
export const page: Page = { title: ({ t }) => t("meta.questionnaire/question.title"), View: () => null };
