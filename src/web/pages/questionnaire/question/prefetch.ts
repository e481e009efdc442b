/** Pictures of the questions that can follow, fetched ahead (spec 001 §2). */
import { pictures } from "#content/media/manifest.ts";
import type { Locale } from "#core/locales.ts";
import { pictureUrl } from "#core/pictures.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";

/** Breakpoints of spec 001 §9. */
const tablet = 768;
const desktop = 992;

/** Names of the pictures on the questions that any answer can lead to. */
export function followingPictures(compiled: CompiledQuestionnaire, questionId: number): readonly string[] {
  const names = new Set<string>();
  for (const id of compiled.nodes[questionId]?.successors ?? []) collect(compiled.question(id), names);
  return [...names];
}

/** Any text that is the name of a picture: blocks keep theirs under keys of their own. */
function collect(value: unknown, names: Set<string>) {
  if (typeof value === "string") {
    if (Object.hasOwn(pictures, value)) names.add(value);
  } else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) collect(inner, names);
}

export function prefetchFollowing(compiled: CompiledQuestionnaire, questionId: number, locale: Locale): void {
  const variant = innerWidth >= desktop ? "desktop" : innerWidth >= tablet ? "tablet" : "phone";
  for (const name of followingPictures(compiled, questionId)) {
    const source = pictures[name];
    if (source !== undefined) new Image().src = pictureUrl(source, variant, devicePixelRatio > 1 ? 2 : 1, locale, "webp");
  }
}
