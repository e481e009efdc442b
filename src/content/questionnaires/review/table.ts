/** Generates the table of versions, `src/content/questionnaires/README.md`. A test checks that the file is current. */
import { defaultVersion, embeddedVersion, everyVersion, questionnaireFor, type Version, versions } from "../index.ts";
import { type Locale, locales } from "#core/locales.ts";
import { check } from "#core/questionnaire/check.ts";
import { surroundings } from "./surroundings.ts";

/** The block types that a version uses. */
export function blocksOf(version: Version): ReadonlySet<string> {
  return new Set(questionnaireFor(version, "en-US").questions.flatMap(({ contents }) => contents.map(({ type }) => type)));
}

/** The whole file, in Markdown. */
export function versionsTable(): string {
  const rows = everyVersion.map((one) => {
    const { hypothesis, changes } = one;
    if ("externalSite" in one) return [one.id, hypothesis, changes, "", "", "", "", "", one.externalSite];
    const version = one.id;
    const definition = questionnaireFor(version, "en-US");
    const { statistics } = check(definition, surroundings);
    const plans = definition.productConfigurations.map(({ productType, productPlan }) =>
      productType === "onetime" ? `${productPlan} once` : productPlan,
    );
    return [
      version,
      hypothesis,
      changes,
      statistics?.screens ?? "?",
      statistics?.branches ?? "?",
      statistics?.shortest ?? "?",
      statistics?.longest ?? "?",
      blocksOf(version).size,
      [definition.theme, definition.userLevelAlgorithm, plans.join(", "), definition.coupon?.code].filter(Boolean).join("; "),
    ];
  });
  const uses = new Map(versions.map((version) => [version, blocksOf(version)]));
  return `# Versions

Printed by \`npm run funnel -- table\`; do not edit, print it again (\`npm run funnel -- table > src/content/questionnaires/README.md\`).
Each version is one object in a file \`vNN.ts\`: its hypothesis, its traits, what it sells, where it is used, and its difference from a base
story (\`base/\`). How to write one: \`../README.md\`.

Branches: questions other than level questions that lead to more than one other. Shortest and longest: screens from the first to the
checkout, level questions included.

${table(["version", "hypothesis", "what it changes", "screens", "branches", "shortest", "longest", "block types", "theme; level; plans; coupon"], rows)}

## Which version where

${table(
  ["locale", "default", "embedded on the home page"],
  locales.map((locale: Locale) => [locale, defaultVersion[locale], embeddedVersion[locale]]),
)}

## Blocks used

${table(
  ["block", ...versions],
  [...new Set([...uses.values()].flatMap((used) => [...used]))]
    .toSorted()
    .map((type) => [type, ...versions.map((version) => (uses.get(version)?.has(type) === true ? "●" : ""))]),
)}

The testimonials and the app's rating (\`brand.ts\`) are examples of the template's own making: an operator replaces them.
`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
