/** Version 91: calm and plain. No animations to wait for, and every optional question can be skipped. */
import type { BlockContentInput } from "#blocks/specs.ts";
import type { RuleGroup } from "#core/questionnaire/definition.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";
import { lacking, replace, type Screen } from "./story.ts";

/** Questions whose answers the plan does not need. */
const skippable: ReadonlySet<number> = new Set([3, 4, 5, 6, 7, 8, 12, 21, 22, 23, 24, 25, 26, 30, 33, 59]);

/** The option that skips a question. */
const skip = 9;

/** A visitor who skips a question sees what its first answer would show. */
function alsoSkipped(group: RuleGroup): RuleGroup {
  const skipped = group.rules.flatMap((rule) =>
    "questionId" in rule && rule.questionId !== undefined && rule.optionId === 1 && skippable.has(rule.questionId)
      ? [{ questionId: rule.questionId, optionId: skip }]
      : [],
  );
  return { ...group, rules: [...group.rules, ...skipped] };
}

export const v91 = defineVersion({
  id: "91",
  hypothesis: "Calm and plain is enough",
  changes: "Nothing moves that one would have to wait for; sixteen questions can be skipped; the app to look at",
  questionnaire: (t, version) => {
    const still = (content: BlockContentInput): BlockContentInput => {
      switch (content.type) {
        case "title-sparkle":
          return { ...content, type: "title" };
        case "proofProgress":
          return { ...content, proofProgressOptions: { animation: false } };
        case "preparingProgram":
          return { type: "preparingProgramSimple", text: t("calm.preparing") };
        case "slideshow":
          return { type: "list", ordered: true, items: content.slideshowOptions.items.map(({ text }) => ({ text })) };
        default:
          return content;
      }
    };
    const calm = ({ contents, options, ...screen }: Screen): Screen => ({
      ...screen,
      contents: contents.map(still),
      options: [
        // A reward shows for a moment; without one the answer leads on at once.
        ...options.map((option) => lacking(option, "reward")),
        ...(skippable.has(screen.id) ? [{ id: skip, description: t("calm.skip"), buttonStyle: "link" as const }] : []),
      ],
    });
    const skipped = replace(story(t, version).map(calm), 9, (screen) => ({
      ...screen,
      contents: screen.contents.map(({ requirements, ...content }) => ({
        ...content,
        ...(requirements === undefined ? {} : { requirements: alsoSkipped(requirements) }),
      })),
    }));
    const edited = replace(skipped, 81, (screen) => ({
      ...screen,
      contents: [...screen.contents, { type: "appStoreButton", text: t("calm.app") }],
    }));
    return longVersion(t, version, { story: edited });
  },
});
