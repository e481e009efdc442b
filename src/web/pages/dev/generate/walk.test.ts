import { questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { expect, test } from "vitest";
import { walkTo } from "./walk.ts";

const contexts: readonly Context[] = (["MX", "DE"] as const).flatMap((country) =>
  (["other", "android", "apple"] as const).map(
    (platform) => ({ locale: "es-419", country, platform, requiresMarketingConsent: country === "DE", today: "2026-11-20" }) as const,
  ),
);

test.each(versions)("every question of version %s can be reached", (version) => {
  const compiled = compile(questionnaireFor(version, "es-419"));
  for (const { id } of compiled.definition.questions) {
    const state = contexts
      .values()
      .map((context) => walkTo(compiled, id, context))
      .find((found) => found !== null);
    expect(state?.currentQuestionId, `question ${id}`).toBe(id);
  }
});

test("a visitor at a question has the answers that lead there", () => {
  const compiled = compile(questionnaireFor("76", "es-419"));
  const [context] = contexts;
  if (context === undefined) throw new Error("no context");
  const state = walkTo(compiled, 53, context);
  expect(state?.selectedOptions.filter(({ questionId }) => questionId > 40)).toHaveLength(2);
});
