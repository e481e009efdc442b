/** Prefetches pictures of the questions that can follow (spec 001 §2). */
import { pictures } from "#content/media/manifest.ts";
import type { BlockPictures } from "#blocks/contents.ts";
import type { Locale } from "#core/locales.ts";
import { type PictureVariant, pictureUrl } from "#core/pictures.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Option, Question, StudySchedule } from "#core/questionnaire/definition.ts";
import { rewardFigure } from "./Reward.tsx";

/** Breakpoints, px (spec 001 §9). */
const tablet = 768;
const desktop = 992;

type Fetch = (name: string, large: boolean) => void;
export type PicturesOf = (item: { readonly type: string }, schedules: readonly StudySchedule[]) => BlockPictures;

/** Fetches every string that is a picture's name. Blocks have them under various keys. */
function collect(value: unknown, fetch: (name: string) => void) {
  if (typeof value === "string") {
    if (Object.hasOwn(pictures, value)) fetch(value);
  } else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) collect(inner, fetch);
}

function fetchQuestion({ definition }: CompiledQuestionnaire, { contents, ...around }: Question, picturesOf: PicturesOf, fetch: Fetch) {
  collect(around, (name) => fetch(name, false));
  for (const item of contents) {
    const { names, large } = picturesOf(item, definition.schedules);
    collect([item, names], (name) => fetch(name, large));
  }
}

function fetchReward({ reward }: Option, fetch: Fetch) {
  if (reward !== undefined) fetch(reward.figure ?? rewardFigure, false);
}

/** Prefetches the pictures of this question's rewards and of every possible next question, in the size for this screen. */
export function prefetchFollowing(compiled: CompiledQuestionnaire, questionId: number, locale: Locale, picturesOf: PicturesOf): void {
  const variant: PictureVariant = innerWidth >= desktop ? "desktop" : innerWidth >= tablet ? "tablet" : "phone";
  const urls = new Set<string>();
  const fetch: Fetch = (name, large) => {
    const source = pictures[name];
    if (source !== undefined) urls.add(pictureUrl(source, large ? "desktop" : variant, devicePixelRatio > 1 ? 2 : 1, locale, "webp"));
  };
  for (const option of compiled.question(questionId)?.options ?? []) fetchReward(option, fetch);
  for (const id of compiled.nodes[questionId]?.successors ?? []) {
    const question = compiled.question(id);
    if (question !== undefined) fetchQuestion(compiled, question, picturesOf, fetch);
  }
  for (const url of urls) new Image().src = url;
}
